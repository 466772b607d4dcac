/** Says short sentences to screen readers, one after the other, without showing them. */
export class Announcer {
  private readonly region = document.createElement('div');

  constructor() {
    this.region.className = 'visually-hidden';
    this.region.setAttribute('role', 'status');
    document.body.append(this.region);
  }

  say(sentence: string): void {
    const line = document.createElement('p');
    line.textContent = sentence;
    // a live region reads what is added to it; older lines only need to go
    this.region.replaceChildren(line);
  }
}
