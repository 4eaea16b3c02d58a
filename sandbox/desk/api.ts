import { byId } from './dom.ts';

export type Mail = {
  id: string;
  receivedAt: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  codes: string[];
  attachments: { name: string; type: string; bytes: number }[];
};
export type ChainState = {
  height: number;
  timestamp: number;
  mining: { auto: boolean; depth: number; blockIntervalMs: number };
  nodes: { url: string; mode: string }[];
};
export type Prices = {
  mode: string;
  updatedAt: number;
  usd: Record<string, number>;
  sources: Record<string, { mode: string } | undefined>;
};
export type Service = { name: string; url: string; up: boolean };

/** Calls the desk's API; a refusal is an error with the server's sentence. */
export async function call<Result>(path: string, body?: unknown): Promise<Result> {
  const response = await fetch(`/api/${path}`, {
    ...(body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

/** Runs what a form or button asked for and shows what came of it in its output element. */
export async function report(outputId: string, work: () => Promise<string>): Promise<void> {
  const output = byId(outputId);
  output.className = 'result';
  try {
    output.textContent = await work();
  } catch (error) {
    output.className = 'result bad';
    output.textContent = error instanceof Error ? error.message : String(error);
  }
}
