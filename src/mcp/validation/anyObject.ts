import { isJsonObject, type JsonObject } from '../../base/json.js';

/** As Standard Schema describes it. */
interface ObjectSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: JsonObject; readonly output: JsonObject };
    readonly validate: (
      value: unknown,
    ) =>
      | { readonly value: JsonObject }
      | { readonly issues: readonly { readonly message: string }[] };
  };
}

/** For SDKs that want a schema; takes any object, since what is in it is looked at where it is used. */
export const anyObject: ObjectSchema = {
  '~standard': {
    version: 1,
    vendor: 'pi-mcp',
    validate: (value) =>
      isJsonObject(value) ? { value } : { issues: [{ message: 'Not a JSON object' }] },
  },
};
