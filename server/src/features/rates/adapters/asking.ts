/** How sources of prices are asked over HTTP: one request, no redirects, bounded in time and size. */

/** Why a source could not be asked; the word is kept and shown to operators, never what the source said. */
export class SourceFailure extends Error {
  readonly problem: 'unreachable' | 'late' | 'refused' | 'tooLarge' | 'unreadable';

  constructor(problem: SourceFailure['problem'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

interface Answer {
  text: string;
  /** When the source made the answer, by its `Date` header less the `Age` in caches; without one, when it arrived. */
  at: Date;
}

/** For the whole answer. */
const timeoutMs = 10_000;

/** Asks for one document. @throws SourceFailure */
export async function ask(
  url: URL,
  { maxBytes, headers = {} }: { maxBytes: number; headers?: Readonly<Record<string, string>> },
): Promise<Answer> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { headers, redirect: 'error', signal });
    if (!response.ok) throw new SourceFailure('refused', `the price source answered ${response.status}`);
    return { text: await readBounded(response, maxBytes), at: timeOf(response) };
  } catch (error) {
    if (error instanceof SourceFailure) throw error;
    throw new SourceFailure(signal.aborted ? 'late' : 'unreachable', 'the price source could not be asked', {
      cause: error,
    });
  }
}

/** Reads JSON. @throws SourceFailure */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SourceFailure('unreadable', 'the price source answered no JSON', { cause: error });
  }
}

async function readBounded(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop cancels the rest.
    if (size > maxBytes) throw new SourceFailure('tooLarge', `the price source answered more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function timeOf({ headers }: Response): Date {
  const said = Date.parse(headers.get('date') ?? '');
  const age = Number(headers.get('age') ?? 0);
  return Number.isNaN(said) ? new Date() : new Date(said - (age > 0 ? age * 1000 : 0));
}
