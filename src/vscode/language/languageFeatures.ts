import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { ObservableValue } from '../../base/valueEmitter.js';
import type { InputStore } from '../../config/inputs/inputStore.js';
import type { Machine } from '../../config/ports.js';
import { patternTarget } from '../../mcp/catalog/records/toolProfiles.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { serverOfEntry } from '../../presentation/language/entryServer.js';
import { isConsentedEntry } from '../../presentation/language/mayShowValues.js';
import type { WrittenSeverities } from '../../presentation/language/serverAdvice.js';
import type { VsCodeClient } from '../gateway/editorClient.js';
import { ConfigCodeActionProvider } from './configCodeActions.js';
import { ConfigCompletionProvider } from './configCompletion.js';
import { ConfigDiagnostics } from './configDiagnostics.js';
import type { ConfigFiles } from './configFiles.js';
import { ConfigHoverProvider } from './configHover.js';
import { ConfigLensProvider } from './configLenses.js';
import { ConfigProblems, type IsConsented } from './configProblems.js';

const selector: vscode.DocumentSelector = [
  { language: 'json', scheme: 'file' },
  { language: 'jsonc', scheme: 'file' },
];

export interface LanguageParts {
  readonly files: ConfigFiles;
  readonly service: McpService;
  readonly machine: Machine;
  readonly inputs: InputStore;
  readonly severities: ObservableValue<WrittenSeverities>;
  readonly vsCode: VsCodeClient;
  readonly onError: (error: unknown) => void;
}

export function registerLanguageFeatures(parts: LanguageParts): Disposable {
  const { files, service, machine, severities, vsCode, onError } = parts;
  const { environment, workspace } = machine;
  const { languages } = vscode;
  const store = new DisposableStore();
  const isConsented: IsConsented = ({ poolId, folder }, entry) =>
    isConsentedEntry(entry, serverOfEntry(service, poolId, entry), folder, service.trust);
  const problems = new ConfigProblems(
    files,
    workspace,
    environment,
    () => severities.value,
    isConsented,
    ({ poolId, location }) =>
      service.pools.some(({ id, files: used }) => id === poolId && used.includes(location.path)),
    {
      clients: () => vsCode.clients,
      serversFor: (folderUri) => service.serversFor(folderUri).map(patternTarget),
    },
  );
  const rules = store.add(new Emitter<void>());
  store.add(workspace.onDidChangeTrust(() => rules.fire()));
  store.add(workspace.onDidChangeFolders(() => rules.fire()));
  store.add(severities.onDidChange(() => rules.fire()));
  store.add(vsCode.onDidChange(() => rules.fire()));
  store.add(service.trust.onDidChange(() => rules.fire()));
  // what was saved is known, and may have been consented to, only a moment later
  store.add(service.onDidChangePools(() => rules.fire()));
  store.add(new ConfigDiagnostics({ problems, onDidChangeRules: rules.event, onError }));
  store.add(
    languages.registerCodeActionsProvider(
      selector,
      new ConfigCodeActionProvider(files, problems, environment, isConsented, service),
      { providedCodeActionKinds: ConfigCodeActionProvider.kinds },
    ),
  );
  const lenses = store.add(new ConfigLensProvider(files, service, onError));
  store.add(languages.registerCodeLensProvider(selector, lenses));
  store.add(
    languages.registerHoverProvider(selector, new ConfigHoverProvider({ ...parts, problems })),
  );
  store.add(
    languages.registerCompletionItemProvider(
      selector,
      new ConfigCompletionProvider(files, service, environment),
      ...ConfigCompletionProvider.triggerCharacters,
    ),
  );
  return store;
}
