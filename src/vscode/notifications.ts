import * as vscode from 'vscode';
import { literal } from '../presentation/literal.js';

/** As VS Code's own, but no text becomes a link. */
export const showInformation = showing('showInformationMessage');
export const showWarning = showing('showWarningMessage');
export const showError = showing('showErrorMessage');

function showing<K extends 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage'>(
  kind: K,
): (typeof vscode.window)[K] {
  const show = (message: string, ...rest: readonly unknown[]): unknown =>
    Reflect.apply(vscode.window[kind], vscode.window, [literal(message), ...rest]);
  return show as (typeof vscode.window)[K];
}

/** A modal question with one answer beside leaving it. */
export async function confirm(
  message: string,
  { detail, action }: { readonly detail: string; readonly action: string },
): Promise<boolean> {
  return (await showWarning(message, { modal: true, detail }, action)) === action;
}
