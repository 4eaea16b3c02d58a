import { announcementBodyMaxLength, announcementTitleMaxLength } from '@causeway/contract/operator-prices-rules.ts';
import { operatorReasonMaxLength } from '@causeway/contract/operator-rules.ts';
import { localTime } from '../../lib/local-time.ts';
import type { Checked, FieldProblem } from '../../ui/form-state.ts';
import { lineRule } from '../operator/index.ts';

/** The rules of these forms, without a schema library; the server checks everything again. Messages are text ids. */

/** What a field of a date and a time holds, in the reader's own zone; null where it is none. */
function instantOf(local: string): Date | null {
  const at = new Date(local);
  return local === '' || Number.isNaN(at.getTime()) ? null : at;
}

/** The other way: `2026-03-29T09:30`, in the reader's own zone. */
export function localOf(instant: string): string {
  return localTime(new Date(instant));
}

function problemsOf<Values extends object>(
  values: Values,
  problems: Partial<Record<keyof Values & string, string | null>>,
): Checked<Values> {
  const found = Object.entries(problems).flatMap(([name, message]): FieldProblem[] =>
    typeof message === 'string' ? [{ path: [name], message }] : [],
  );
  return found.length === 0 ? { ok: true, values } : { ok: false, problems: found };
}

export interface Timing {
  when: 'now' | 'later';
  at: string;
}

function atRule({ when, at }: Timing): string | null {
  if (when === 'now') return null;
  const instant = instantOf(at);
  if (instant === null) return 'field.required';
  return instant <= new Date() ? 'ops.rule.past' : null;
}

/** The instant that was chosen, ISO 8601; undefined: now. */
export function chosenInstant({ when, at }: Timing): string | undefined {
  return when === 'now' ? undefined : instantOf(at)?.toISOString();
}

export interface PriceValues extends Timing {
  mode: 'value' | 'none';
  value: string;
  reason: string;
}

export function checkPrice(values: PriceValues): Checked<PriceValues> {
  return problemsOf(
    { ...values, reason: values.reason.trim() },
    {
      value: values.mode === 'value' && !/^\d+(\.\d+)?$/.test(values.value) ? 'field.amount' : null,
      at: atRule(values),
      reason: lineRule(values.reason, operatorReasonMaxLength),
    },
  );
}

/** Title and text in each of three languages, flat as a form has them. */
export interface AnnouncementValues extends Timing {
  enTitle: string;
  enBody: string;
  hkTitle: string;
  hkBody: string;
  cnTitle: string;
  cnBody: string;
  audience: 'all' | 'company' | 'asset';
  companyId: string;
  asset: string;
}

export function checkAnnouncement(values: AnnouncementValues): Checked<AnnouncementValues> {
  const title = (text: string) => lineRule(text, announcementTitleMaxLength);
  const body = (text: string) => lineRule(text, announcementBodyMaxLength);
  return problemsOf(values, {
    enTitle: title(values.enTitle),
    enBody: body(values.enBody),
    hkTitle: title(values.hkTitle),
    hkBody: body(values.hkBody),
    cnTitle: title(values.cnTitle),
    cnBody: body(values.cnBody),
    companyId: values.audience === 'company' && values.companyId === '' ? 'field.required' : null,
    asset: values.audience === 'asset' && values.asset === '' ? 'field.required' : null,
    at: atRule(values),
  });
}

export function textsOf(values: AnnouncementValues) {
  return {
    'en-us': { title: values.enTitle, body: values.enBody },
    'zh-hk': { title: values.hkTitle, body: values.hkBody },
    'zh-cn': { title: values.cnTitle, body: values.cnBody },
  };
}

export function audienceOf({ audience, companyId, asset }: AnnouncementValues) {
  if (audience === 'company') return { kind: audience, companyId };
  return audience === 'asset' ? { kind: audience, asset } : { kind: audience };
}
