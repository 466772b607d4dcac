export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;
