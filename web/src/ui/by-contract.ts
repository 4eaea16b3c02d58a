import { problemOf } from '@causeway/contract/missing.ts';
import * as z from 'zod/mini';
import type { Checked } from './form-state.ts';

/** Checks a form's values by a schema of the contract. */
export function byContract<Output>(schema: z.core.$ZodType<Output>): (values: unknown) => Checked<Output> {
  return (values) => {
    const result = z.safeParse(schema, values);
    if (result.success) return { ok: true, values: result.data };
    return {
      ok: false,
      problems: result.error.issues.map(({ path, message }) => ({
        path,
        message: problemOf(textId(message), path, values),
      })),
    };
  };
}

/** A rule without a message of its own speaks zod's English; a person gets a sentence instead. */
function textId(message: string): string {
  return /^(?:field|bank\.detail)\./.test(message) ? message : 'field.invalid';
}
