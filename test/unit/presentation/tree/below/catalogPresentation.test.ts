import { expect, it } from 'vitest';
import { presentPrompt } from '../../../../../src/presentation/tree/below/catalogPresentation.js';

it('says beside the name of an argument what the server calls it', () => {
  const { tooltip } = presentPrompt({
    name: 'greet',
    arguments: [
      { name: 'city', title: 'city', required: true },
      { name: 'tone', title: 'Tone of voice' },
    ],
  });
  expect(tooltip).toContainEqual({
    kind: 'paragraph',
    text: 'Parameters: city, tone? (Tone of voice)',
  });
});
