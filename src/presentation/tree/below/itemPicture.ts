import { iconOf } from '../../../mcp/catalog/icons.js';
import type { NodePresentation } from '../presentation.js';

export function itemPicture(item: Parameters<typeof iconOf>[0]): Pick<NodePresentation, 'picture'> {
  const picture = iconOf(item);
  return picture ? { picture } : {};
}
