import * as z from 'zod/mini';
import { id } from './ids.ts';
import { systemRoles } from './permission.ts';

/** What the calls of organisation have in common. */

/** An id that a form must have chosen: what is missing is "required", as the form says. */
export const chosenId = z
  .uuid({
    error: ({ input }) => (input === undefined || input === null || input === '' ? 'field.required' : 'field.id'),
  })
  .check(z.toLowerCase());

export const roleRef = z.object({
  id,
  /** A system role's is in the reader's language. */
  name: z.string(),
  /** Which system role it is; null for one of the company's own. */
  system: z.nullable(z.enum(systemRoles)),
  active: z.boolean(),
});
