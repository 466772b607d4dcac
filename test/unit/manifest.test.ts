import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json';
import germanNls from '../../package.nls.de.json';
import nls from '../../package.nls.json';
import { lintRules } from '../../src/config/lint/lintTypes.js';
import { severityChoices } from '../../src/config/lint/severityChoices.js';
import {
  agentTabType,
  commandIds,
  contextKeys,
  contextOnlyCommandIds,
  itemFlags,
  ownCommandIds,
  pagePanelTypes,
  settingDefaults,
  settingIds,
  stepsByKey,
  viewIds,
  walkthroughId,
} from '../../src/contributions.js';
import { readSources } from '../helpers/readSources.js';

const root = join(import.meta.dirname, '../..');
const { contributes } = manifest;
const manifestText = readFileSync(join(root, 'package.json'), 'utf8');
const source = readSources(join(root, 'src'));

interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}
const menus = contributes.menus as Readonly<Record<string, readonly MenuItem[]>>;
const clauses = [
  ...Object.values(menus)
    .flat()
    .map((item) => item.when),
  ...contributes.keybindings.map((keybinding) => keybinding.when),
  ...contributes.viewsWelcome.map((welcome) => welcome.when),
  ...contributes.commands.map((command) => ('enablement' in command ? command.enablement : '')),
].filter((clause): clause is string => typeof clause === 'string');

describe('manifest', () => {
  it('contributes exactly the commands of the code, in alphabetical order', () => {
    const ids = contributes.commands.map((command) => command.command);
    const own: readonly string[] = ownCommandIds;
    expect(ids).toEqual(
      Object.values(commandIds)
        .filter((id) => !own.includes(id))
        .sort(),
    );
  });

  it('handles every command in the code', () => {
    const unhandled = Object.keys(commandIds).filter(
      (key) => !source.includes(`[commandIds.${key}]`),
    );
    expect(unhandled).toEqual([]);
  });

  it('gives every command a category, an icon and a title in Title Case', () => {
    for (const command of contributes.commands) {
      expect(command.category).toBe('%category%');
      expect(command.icon).toMatch(/^\$\([a-z-]+\)$/);
      const title = localized(command.title);
      const words = title
        .split(' ')
        .filter(
          (word) => !['as', 'at', 'by', 'in', 'of', 'on', 'for', 'from', 'to'].includes(word),
        );
      expect(
        words.filter((word) => !/^[A-Z]/.test(word)),
        title,
      ).toEqual([]);
    }
  });

  it('uses icons that exist', () => {
    const css = readFileSync(join(root, 'node_modules/@vscode/codicons/dist/codicon.css'), 'utf8');
    const icons = [
      ...contributes.commands.map((command) => command.icon.slice(2, -1)),
      ...[...source.matchAll(/\$\(([a-z-]+)(?:~spin)?\)/g)].map(([, icon]) => icon),
    ];
    expect(icons.filter((icon) => !css.includes(`.codicon-${icon}:before`))).toEqual([]);
  });

  it('contributes exactly the views of the code', () => {
    const { viewsContainers, views } = contributes;
    expect(viewsContainers.activitybar.map(({ id }) => id)).toEqual([viewIds.container]);
    expect(viewsContainers.secondarySidebar.map(({ id }) => id)).toEqual([viewIds.agentContainer]);
    expect(views[viewIds.container].map(({ id }) => id)).toEqual([viewIds.servers]);
    expect(views[viewIds.agentContainer].map(({ id }) => id)).toEqual([viewIds.agent]);
    for (const type of [agentTabType, ...pagePanelTypes]) {
      expect(manifest.activationEvents).toContain(`onWebviewPanel:${type}`);
    }
    expect(contributes.walkthroughs.map(({ id }) => id)).toEqual([walkthroughId]);
    const steps = contributes.walkthroughs.flatMap(({ id, steps }) =>
      steps.map((step) => `${manifest.publisher}.${manifest.name}#${id}#${step.id}`),
    );
    expect([...stepsByKey.values()].filter((step) => !steps.includes(step))).toEqual([]);
  });

  it.each([
    ['package.nls.json', nls],
    ['package.nls.de.json', germanNls],
  ])('leads from each link of %s to a command that there is', (_file, texts) => {
    const links = Object.values(texts).flatMap((text) =>
      [...text.matchAll(/\]\(command:([\w.]+)/g)].map(([, id = '']) => id),
    );
    expect(links.length).toBeGreaterThan(10);
    const known: readonly string[] = [...Object.values(commandIds), `${viewIds.servers}.focus`];
    const isOfEditor = (id: string) => /^(?:vscode|workbench)\./.test(id);
    expect(links.filter((id) => !known.includes(id) && !isOfEditor(id))).toEqual([]);
  });

  it('contributes exactly the settings of the code, with the same defaults', () => {
    const properties: Record<string, { default: unknown }> = contributes.configuration.properties;
    const defaults = Object.entries(properties).map(([id, property]) => [id, property.default]);
    expect(Object.fromEntries(defaults)).toEqual(settingDefaults);
    expect(Object.keys(properties).sort()).toEqual(Object.values(settingIds).sort());
  });

  it('offers a severity for exactly the rules that there are', () => {
    const { properties } = contributes.configuration.properties['piMcp.validation.severities'];
    expect(Object.keys(properties)).toEqual(Object.keys(lintRules).sort());
    for (const property of Object.values(properties)) {
      expect(property.enum).toEqual(severityChoices);
    }
  });

  it('keeps every setting away from an untrusted workspace, and YOLO from every workspace', () => {
    const { properties } = contributes.configuration;
    expect([...manifest.capabilities.untrustedWorkspaces.restrictedConfigurations].sort()).toEqual(
      Object.keys(properties).sort(),
    );
    expect(properties['piMcp.agent.yolo'].scope).toBe('application');
    expect(properties['piMcp.agent.extensions'].scope).toBe('application');
    expect(properties['piMcp.globalConfigPath'].scope).toBe('machine');
    expect(manifest.capabilities.untrustedWorkspaces.supported).toBe('limited');
    expect(manifest.extensionKind).toEqual(['workspace']);
  });

  it('uses only context keys that the code sets or VS Code has', () => {
    const own = new Set<string>(Object.values(contextKeys));
    const builtIn = [
      'activeWebviewPanelId',
      'config.chat.mcp.access',
      'editorTextFocus',
      'inQuickOpen',
      'originalResourceScheme',
      'scmProvider',
      'webviewSection',
      'view',
      'viewItem',
      'isWorkspaceTrusted',
      'workbenchState',
      'resourceFilename',
      'resourceScheme',
    ];
    const used = new Set(clauses.flatMap(keysOf));
    const unknown = [...used].filter((key) => !own.has(key) && !builtIn.includes(key));
    expect(unknown).toEqual([]);
    expect([...own].filter((key) => !used.has(key))).toEqual([]);
  });

  it('matches only item flags that the code gives, and matches each of its own', () => {
    const flags = new Set<string>(Object.values(itemFlags));
    const used = new Set(
      clauses.flatMap((clause) => [...clause.matchAll(/\\b(\w+)\\b/g)].map(([, flag]) => flag)),
    );
    expect([...used].filter((flag) => flag === undefined || !flags.has(flag))).toEqual([]);
    expect([...flags].filter((flag) => !used.has(flag))).toEqual([]);
  });

  it('shows only its own commands and views in menus and welcome texts', () => {
    // VS Code has one command for each view, which shows it
    const shows = Object.values(viewIds).map((view) => `${view}.focus`);
    const known = new Set<string>([...Object.values(commandIds), ...shows]);
    const inMenus = Object.values(menus)
      .flat()
      .flatMap((item) => item.command ?? []);
    const inTexts = [...JSON.stringify(nls).matchAll(/command:([\w.]+)/g)]
      .map(([, command]) => command ?? '')
      .filter((command) => command.startsWith('piMcp.'));
    expect([...inMenus, ...inTexts].filter((command) => !known.has(command))).toEqual([]);
    const views = [viewIds.servers, viewIds.agent] as readonly string[];
    const shownIn = clauses.flatMap((clause) => [...clause.matchAll(/view == (\S+)/g)]);
    expect(shownIn.filter(([, view]) => !views.includes(view ?? ''))).toEqual([]);
    const tabs = clauses.flatMap((clause) => [
      ...clause.matchAll(/activeWebviewPanelId == (\S+)/g),
    ]);
    expect(tabs.filter(([, tab]) => tab !== agentTabType)).toEqual([]);
  });

  it('hides context-only commands from the palette and no other', () => {
    const hidden = (menus.commandPalette ?? [])
      .filter((item) => item.when === 'false')
      .map((item) => item.command);
    expect(hidden).toEqual(contextOnlyCommandIds);
  });

  it('puts at most three actions into a view title and two beside an item', () => {
    for (const view of [viewIds.servers, viewIds.agent]) {
      const actions = (menus['view/title'] ?? []).filter(
        (item) => item.when?.includes(`view == ${view}`) && item.group?.startsWith('navigation'),
      );
      expect(actions.length).toBeLessThanOrEqual(3);
    }
    for (const flags of possibleFlags()) {
      const inline = (menus['view/item/context'] ?? []).filter(
        (item) => item.group?.startsWith('inline') && matches(item.when ?? '', flags),
      );
      expect(inline.length, flags).toBeLessThanOrEqual(2);
    }
  });

  it('keeps the menus short: eleven entries behind the title, eight on a row', () => {
    const behindTitle = (menus['view/title'] ?? []).filter(
      ({ when, group }) =>
        when?.includes(`view == ${viewIds.servers}`) && !group?.startsWith('navigation'),
    );
    expect(behindTitle.length).toBeLessThanOrEqual(11);
    for (const flags of [...possibleFlags(), ...fullRows()]) {
      const entries = (menus['view/item/context'] ?? []).filter(
        ({ when, group }) => !group?.startsWith('inline') && matches(when ?? '', flags),
      );
      expect(entries.length, flags).toBeGreaterThan(0);
      expect(entries.length, flags).toBeLessThanOrEqual(8);
    }
  });

  it('has a menu for each that a row leads to, which fits the screen', () => {
    const named = contributes.submenus.map(({ id }) => id);
    const used = Object.values(menus).flatMap((items) =>
      items.flatMap((item) => item.submenu ?? []),
    );
    expect(used.sort()).toEqual([...named].sort());
    for (const id of named) {
      expect(menus[id]?.length, id).toBeLessThanOrEqual(10);
    }
  });

  it('has every localized string and no other', () => {
    const used = new Set([...manifestText.matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key));
    expect([...used].sort()).toEqual(Object.keys(nls).sort());
  });

  it('leaves no text of the contributions unlocalized', () => {
    const texts = collect(contributes, [
      'title',
      'name',
      'description',
      'markdownDescription',
      'contents',
      'category',
      'contextualTitle',
    ]);
    expect(texts.filter((text) => !/^%[\w.]+%$/.test(text))).toEqual([]);
  });

  it('refers to files that exist', () => {
    const paths = [...manifestText.matchAll(/"(\.?\/?media\/[^"]+)"/g)].map(
      ([, path]) => path ?? '',
    );
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(existsSync(join(root, manifest.l10n))).toBe(true);
  });

  it('lets a workspace set nothing that chooses who is asked, what is kept or what runs', () => {
    const { properties } = manifest.contributes.configuration;
    const ofWorkspaces = Object.entries(properties)
      .filter(([, { scope }]) => scope !== 'application' && scope !== 'machine')
      .map(([id]) => id);
    // a budget, and severities that a workspace can raise only
    expect(ofWorkspaces).toEqual(['piMcp.agent.toolBudget', 'piMcp.validation.severities']);
  });

  it('says on its page of the Marketplace what it is, and has one price', () => {
    expect(manifest.categories).toEqual(['AI', 'Chat', 'Other']);
    expect(manifest.pricing).toBe('Free');
    expect(new Set(manifest.keywords).size).toBe(20);
    expect(manifest.galleryBanner).toEqual({ color: '#17444f', theme: 'dark' });
    expect(Object.keys(manifest).filter((key) => /^(?:badges|sponsor|preview)$/.test(key))).toEqual(
      [],
    );
  });

  it('activates lazily', () => {
    const events = manifest.activationEvents;
    // what that costs a window is held by the test of the package
    const early = events.filter((event) => event === '*' || event.startsWith('onStartup'));
    expect(early).toEqual(['onStartupFinished']);
    expect(
      events.every(
        (event) =>
          event === 'onStartupFinished' ||
          event.startsWith('workspaceContains:') ||
          [agentTabType, ...pagePanelTypes].some((type) => event === `onWebviewPanel:${type}`),
      ),
    ).toBe(true);
  });
});

function localized(text: string): string {
  return (nls as Record<string, string>)[text.replaceAll('%', '')] ?? text;
}

function keysOf(clause: string): readonly string[] {
  return clause
    .replace(/=~ \/.*?\//g, '')
    .replace(/(==|!=) '?[^\s')]+'?/g, '')
    .split(/[\s!&|()]+/)
    .filter((word) => word !== '' && word !== 'false');
}

function matches(clause: string, flags: string): boolean {
  return [...clause.matchAll(/(!\()?viewItem =~ \/(.*?)\//g)].every(
    ([, negation, pattern]) => new RegExp(pattern ?? '').test(flags) === (negation === undefined),
  );
}

/** Every `contextValue` that the presentation can give. */
function possibleFlags(): readonly string[] {
  const f = itemFlags;
  const trust = ['', f.awaitsConsent, f.restricted];
  const pools = trust.map((flag) => `${f.pool} ${f.hasConsent} ${flag}`);
  const servers = [f.switchedOn, f.switchedOff].flatMap((enablement) =>
    [...trust, f.startable, `${f.startable} ${f.running}`, `${f.startable} ${f.failing}`].map(
      (flag) => `${f.server} ${enablement} ${f.hasConsent} ${flag}`,
    ),
  );
  return [...pools, ...servers.filter(isPossible), f.problem];
}

/** With everything that a server may be at once. */
function fullRows(): readonly string[] {
  const f = itemFlags;
  const always = [f.server, f.switchedOn, f.hasConsent, f.startable, f.canSignIn, f.doubled].join(
    ' ',
  );
  return [
    `${always} ${f.running} ${f.asking} ${f.signedIn}`,
    `${always} ${f.signedOut} ${f.failing}`,
  ];
}

/** A server that is switched off is in none of the other states. */
function isPossible(flags: string): boolean {
  return !(flags.includes(itemFlags.switchedOff) && flags.includes(itemFlags.startable));
}

function collect(value: unknown, keys: readonly string[]): readonly string[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([key, item]) =>
    keys.includes(key) && typeof item === 'string' ? [item] : collect(item, keys),
  );
}
