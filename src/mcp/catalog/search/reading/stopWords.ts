/** Words that occur in every request and say nothing about a tool. */
const stopWords: ReadonlySet<string> = new Set(
  [
    'a an the this that these those it its there here',
    'i me my mine we us our ours you your yours he she they them their his her',
    'am is are was were be been being do does did doing done has have had having',
    'can could will would shall should may might must',
    'and or but if then than so as of at by for from in into on onto to with without within about over under',
    'what which who whom whose when where why how',
    'something anything nothing someone somebody own',
    'please want need like let lets give just also only some any all each every both either more most other such',
    'use using used via per etc eg ie not no',
    'tool tools mcp s t d ll re ve m',
  ].flatMap((line) => line.split(' ')),
);

export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}
