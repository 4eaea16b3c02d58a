import { prepareCaptcha } from 'virtual:calls/identity';
import { send } from '../../lib/client.ts';
import { type WatchWork, withWork } from './proof-of-work.ts';

/** What a captcha is for: its size depends on how often that was tried for the address. */
export interface CaptchaFor {
  scenario: 'login' | 'register' | 'forget';
  email: string;
}

/** Runs `use` with a solved captcha of the companies' console. */
export function withCaptcha<Result>(
  what: CaptchaFor,
  watch: WatchWork,
  use: (captcha: string) => Promise<Result>,
): Promise<Result> {
  return withWork(() => send(prepareCaptcha, { body: what }, { cookies: true }), watch, use);
}
