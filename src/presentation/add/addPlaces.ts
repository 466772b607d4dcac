/** The files that servers can be put into. */
import { showHidden } from '../../base/text/showHidden.js';
import { folderUnknown } from '../../config/errors.js';
import type { McpPool, McpService } from '../../mcp/mcpApi.js';
import type { AddPlace } from '../../protocol/add/addProtocol.js';
import { type ServerPlace, serverPlaces } from '../configPage/viewState.js';

export class AddPlaces {
  constructor(private readonly service: McpService) {}

  /** Those of folders first, as new servers belong to the project. @param poolId before them */
  list(poolId?: string): readonly AddPlace[] {
    const { all } = this;
    const isFirst = (place: ServerPlace) => place.poolId === poolId;
    return [...all.filter(isFirst), ...all.filter((place) => !isFirst(place))].map((place) => ({
      id: placeId(place),
      label: showHidden(place.label),
      path: showHidden(place.path),
    }));
  }

  /** @throws {HumanError} */
  find(id: string): { readonly pool: McpPool; readonly place: ServerPlace } {
    const place = this.all.find((one) => placeId(one) === id);
    const pool = place && this.service.getPool(place.poolId);
    if (!place || !pool) {
      throw folderUnknown();
    }
    return { pool, place };
  }

  private get all(): readonly ServerPlace[] {
    const { service } = this;
    const places = service.pools.flatMap((pool) => serverPlaces(pool, service));
    const isOfFolder = ({ poolId }: ServerPlace) => service.getPool(poolId)?.folder !== undefined;
    return [...places.filter(isOfFolder), ...places.filter((place) => !isOfFolder(place))];
  }
}

function placeId({ poolId, file }: ServerPlace): string {
  return `${file} ${poolId}`;
}
