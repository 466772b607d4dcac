/** What a server wrote, made safe to stand inside `<mark>…</mark>`: it cannot end the mark and go on as somebody else. */
export function insideMark(mark: string, text: string): string {
  return text.replace(new RegExp(`<(\\s*)/(?=\\s*${mark})`, 'gi'), '<$1\\/');
}
