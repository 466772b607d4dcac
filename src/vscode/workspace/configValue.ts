import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.js';
import { type ObservableValue, ValueEmitter } from '../../base/valueEmitter.js';
import { type SettingId, settingDefaults } from '../../contributions.js';

type SettingValue<K extends SettingId> = (typeof settingDefaults)[K] extends boolean
  ? boolean
  : (typeof settingDefaults)[K] extends number
    ? number
    : (typeof settingDefaults)[K] extends string
      ? string
      : (typeof settingDefaults)[K] extends readonly unknown[]
        ? readonly unknown[]
        : Readonly<Record<string, unknown>>;

/** One setting: its value now and its changes. */
export class ConfigValue<K extends SettingId>
  implements ObservableValue<SettingValue<K>>, Disposable
{
  private readonly emitter: ValueEmitter<SettingValue<K>>;
  private readonly subscription: Disposable;

  constructor(private readonly id: K) {
    this.emitter = new ValueEmitter(this.read());
    this.subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(this.id)) {
        this.emitter.set(this.read());
      }
    });
  }

  get value(): SettingValue<K> {
    return this.emitter.value;
  }

  get onDidChange() {
    return this.emitter.onDidChange;
  }

  dispose(): void {
    this.subscription.dispose();
    this.emitter.dispose();
  }

  /** A value of the wrong type, which a hand-written settings file can hold, counts as not set. */
  private read(): SettingValue<K> {
    const fallback = settingDefaults[this.id] as SettingValue<K>;
    const value = vscode.workspace.getConfiguration().get<unknown>(this.id);
    const isSame =
      typeof value === typeof fallback && Array.isArray(value) === Array.isArray(fallback);
    return isSame ? (value as SettingValue<K>) : fallback;
  }
}
