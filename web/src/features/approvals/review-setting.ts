import type { OutputInput } from '@causeway/contract/call.ts';
import type { getReviewSetting } from '@causeway/contract/review.ts';

/** The approval settings as the server returns them. */
export type ReviewSetting = OutputInput<typeof getReviewSetting>;
export type Rule = ReviewSetting['rules'][number];
