import { RequestError, request } from '../../../platform/http/request.ts';

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
  const {
    status,
    headers: said,
    bytes,
  } = await request(url, { headers, timeoutMs, maxBytes }).catch((error) => {
    if (!(error instanceof RequestError)) throw error;
    const { problem, message } = error;
    if (problem === 'tooLarge') throw new SourceFailure('tooLarge', `the price source: ${message}`);
    throw new SourceFailure(problem === 'late' ? 'late' : 'unreachable', 'the price source could not be asked', {
      cause: error,
    });
  });
  if (status < 200 || status > 299) throw new SourceFailure('refused', `the price source answered ${status}`);
  return { text: bytes.toString('utf8'), at: timeOf(said) };
}

/** Reads JSON. @throws SourceFailure */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SourceFailure('unreadable', 'the price source answered no JSON', { cause: error });
  }
}

function timeOf(headers: Headers): Date {
  const said = Date.parse(headers.get('date') ?? '');
  const age = Number(headers.get('age') ?? 0);
  return Number.isNaN(said) ? new Date() : new Date(said - (age > 0 ? age * 1000 : 0));
}
