import * as z from 'zod/mini';
import { call } from './call.ts';
import { firstStepStates, firstSteps } from './home-rules.ts';

export * from './home-rules.ts';

const firstStepsView = z.object({
  /** The person does not want to see them any more. */
  dismissed: z.boolean(),
  /** Those that the person's role allows, with what is true of each now. */
  steps: z.array(z.object({ step: z.enum(firstSteps), state: z.enum(firstStepStates) })),
});
export type FirstSteps = z.output<typeof firstStepsView>;

export const getFirstSteps = call({
  name: 'getFirstSteps',
  method: 'GET',
  path: '/web/home/first-steps',
  summary: 'What the person signed in, and their company, have still to set up, as far as their role allows it.',
  access: 'signed-in',
  output: firstStepsView,
  errors: [],
});

export const dismissFirstSteps = call({
  name: 'dismissFirstSteps',
  method: 'PUT',
  path: '/web/home/first-steps',
  summary: 'Hides the first steps from the person signed in, or shows them again.',
  access: 'signed-in',
  body: z.strictObject({ dismissed: z.boolean('field.required') }),
  output: firstStepsView,
  errors: [],
});
