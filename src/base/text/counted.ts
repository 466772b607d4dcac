/** One text for one and for many, such as *1 file|{0} files*. @param shown in its place. Default: the count. */
export function counted(text: string, count: number, shown = String(count)): string {
  const [one = '', many = one] = text.split('|');
  return (count === 1 ? one : many).replace('{0}', () => shown);
}
