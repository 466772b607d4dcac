/** What VS Code has written down of its layout, which it does now and then. Runs in the page. */
export async function storedLayout(): Promise<string> {
  const ended = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const texts: string[] = [];
  for (const { name = '' } of await indexedDB.databases()) {
    if (name.startsWith('vscode-web-state-db')) {
      const database = await ended(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const all = database.transaction(store).objectStore(store).getAll();
        texts.push(JSON.stringify(await ended(all)));
      }
      database.close();
    }
  }
  return texts.join('\n');
}
