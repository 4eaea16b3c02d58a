import { ApiError } from './api-error.ts';
import { reportError } from './report-error.ts';

/** Shows the error's message and rethrows it, for the form. The form itself reports other errors than `ApiError`. */
export async function reporting<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError) reportError(error);
    throw error;
  }
}
