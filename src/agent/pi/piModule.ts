/** What the agent uses of Pi. Types only: at run time Pi arrives through a {@link PiLoader}. */
import type * as Pi from '@earendil-works/pi-coding-agent';

export type PiModule = typeof import('./piEntry.js');

/** Imports the bundle of `piEntry.ts`; called once, when the panel is first used. */
export type PiLoader = () => Promise<PiModule>;

export type PiSession = Pi.AgentSession;
export type PiSessionEntry = Pi.SessionEntry;
export type PiEvent = Pi.AgentSessionEvent;
export type PiExtensionApi = Pi.ExtensionAPI;
export type PiModelRuntime = Pi.ModelRuntime;
export type PiLoginInteraction = Parameters<PiModelRuntime['login']>[2];
export type PiModel = NonNullable<ReturnType<PiModelRuntime['getModel']>>;
export type PiPrompt = ReturnType<
  InstanceType<PiModule['DefaultResourceLoader']>['getPrompts']
>['prompts'][number];
export type PiResourceLoader = InstanceType<PiModule['DefaultResourceLoader']>;
export type PiSessionManager = Pi.SessionManager;
export type PiMessage = ReturnType<Pi.SessionManager['buildSessionProjection']>['messages'][number];
export type PiSettings = Pi.SettingsManager;
export type PiSkill = Pi.Skill;
/** Sends a request. */
export type PiStream = PiSession['agent']['streamFunction'];
export type PiAnswer = Awaited<ReturnType<PiStream>>;
export type PiTool = Pi.ToolDefinition;
export type PiToolResult = Awaited<ReturnType<PiTool['execute']>>;
