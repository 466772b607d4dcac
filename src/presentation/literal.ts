/**
 * VS Code makes links of `[text](address)` in notifications, of commands too. Names and texts of servers and files go
 * into ours, so that every one is shown as it is written.
 */
export function literal(message: string): string {
  return message.replaceAll('](', ']\u200b(');
}
