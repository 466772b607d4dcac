/** What the tests use of express, which brings no types. */
declare module 'express' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  type Request = IncomingMessage;
  type Response = ServerResponse & { redirect(url: string): void };
  interface Application {
    (request: IncomingMessage, response: ServerResponse): void;
    use(handler: unknown): void;
    post(path: string, handler: (request: Request, response: Response) => unknown): void;
  }
  export default function express(): Application;
}
