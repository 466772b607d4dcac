/** What files say of tools in place of their servers. */
import type { McpServerOptions, ToolOverride } from './definition.js';

type ToolOverrides = McpServerOptions['toolOverrides'];

/** @param tool the server's own name, which may be any text */
export function overrideFor(overrides: ToolOverrides, tool: string): ToolOverride | undefined {
  return overrides && Object.hasOwn(overrides, tool) ? overrides[tool] : undefined;
}

/** The later wins, field by field. */
export function joinOverrides(lower: ToolOverrides, higher: ToolOverrides): ToolOverrides {
  return lower && higher
    ? Object.fromEntries(
        [...new Set([...Object.keys(lower), ...Object.keys(higher)])].map((tool) => [
          tool,
          { ...overrideFor(lower, tool), ...overrideFor(higher, tool) },
        ]),
      )
    : (higher ?? lower);
}

/** What a file of a folder may say: it takes tools away, and neither changes them nor gives them back. */
export function onlyHidden(overrides: NonNullable<ToolOverrides>): NonNullable<ToolOverrides> {
  return Object.fromEntries(
    Object.entries(overrides).flatMap(([tool, { hidden }]) => (hidden ? [[tool, { hidden }]] : [])),
  );
}
