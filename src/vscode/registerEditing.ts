import { type Disposable, DisposableStore } from '../base/disposable.js';
import type { InputStore } from '../mcp/config/inputs/inputStore.js';
import type { McpService } from '../mcp/mcpApi.js';
import type { HostEnvironment, Workspace } from '../mcp/ports.js';
import { addServerCommands } from './commands/addServerCommands.js';
import type { ConfigEditor } from './commands/configurationCommands.js';
import { folderCommands } from './commands/folderCommands.js';
import { importCommands } from './commands/importCommands.js';
import { inputsCommands } from './commands/inputsCommands.js';
import { registerCommands } from './commands/registerCommand.js';
import { ConfigFiles } from './language/configFiles.js';
import { fixCommands } from './language/fixCommands.js';
import { registerLanguageFeatures } from './language/languageFeatures.js';
import { ChangePreview } from './prompts/changePreview.js';
import type { InputPrompter } from './prompts/inputPrompter.js';
import type { ReportError } from './reportError.js';
import { SeveritySetting } from './workspace/severitySetting.js';

export interface EditingParts {
  readonly service: McpService;
  readonly workspace: Workspace;
  readonly environment: HostEnvironment;
  readonly configEditor: ConfigEditor;
  readonly inputs: InputStore;
  readonly inputPrompter: InputPrompter;
  readonly globalConfigPath: () => string;
  readonly reportError: ReportError;
}

/** Configuration files as a language, and the commands that write them. */
export function registerEditing(parts: EditingParts): Disposable {
  const { service, workspace, environment, inputs, reportError } = parts;
  const store = new DisposableStore();
  const files = new ConfigFiles(workspace, environment, parts.globalConfigPath);
  const preview = store.add(new ChangePreview());
  const severities = store.add(new SeveritySetting());
  store.add(
    registerLanguageFeatures({
      files,
      service,
      environment,
      workspace,
      inputs,
      severities,
      onError: reportError,
    }),
  );
  store.add(
    registerCommands(
      {
        ...addServerCommands({ service, preview, configEditor: parts.configEditor }),
        ...importCommands({ service, workspace, environment, preview }),
        ...inputsCommands({ service, inputs, inputPrompter: parts.inputPrompter }),
        ...folderCommands(service),
        ...fixCommands({ files, inputs, environment, workspace }),
      },
      reportError,
    ),
  );
  return store;
}
