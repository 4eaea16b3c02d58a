import * as z from 'zod/mini';

/** What the parts of the desk's API share: a request, a refusal, and reading of a body. */

export type DeskRequest = { method: string; path: string; query: URLSearchParams; body: unknown };

/** A refusal with its HTTP status; the message is shown to the person. */
export class DeskError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'DeskError';
    this.status = status;
  }
}

/** @throws DeskError 404 */
export function notFound(): never {
  throw new DeskError(404, 'There is nothing here.');
}

/** @throws DeskError 422, with the first thing that is wrong */
export function read<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new DeskError(422, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`);
}
