import { type RiskWindow, riskWindows } from '@causeway/contract/risk-rules.ts';
import type { Figures, Inputs, RiskSubject, WhiteEntry } from '../domain.ts';

/** Inputs as `risk_assessment.inputs` holds them: amounts are texts, since JSON has no integers of that size. */
export interface InputsJson {
  subject: Omit<RiskSubject, 'quantityMinor' | 'valueUsdCents'> & { quantityMinor: string; valueUsdCents: string };
  windows: Record<RiskWindow, { transactions: number; quantityMinor: string; valueCents: string }>;
  blackEntryId: string | null;
  whiteEntry: { [K in keyof WhiteEntry]: string } | null;
  onlyWhitelisted: boolean;
  /** Absent from judgements before it was recorded. */
  affiliation?: Inputs['affiliation'];
}

export function inputsToJson(inputs: Inputs): InputsJson {
  const { subject, windows, whiteEntry, ...rest } = inputs;
  return {
    ...rest,
    subject: {
      ...subject,
      quantityMinor: String(subject.quantityMinor),
      valueUsdCents: String(subject.valueUsdCents),
    },
    windows: byWindow((window) => {
      const { transactions, quantityMinor, valueCents } = windows[window];
      return { transactions, quantityMinor: String(quantityMinor), valueCents: String(valueCents) };
    }),
    whiteEntry: whiteEntry && {
      id: whiteEntry.id,
      singleCents: String(whiteEntry.singleCents),
      dailyCents: String(whiteEntry.dailyCents),
      cumulativeCents: String(whiteEntry.cumulativeCents),
      usedTodayCents: String(whiteEntry.usedTodayCents),
      usedCents: String(whiteEntry.usedCents),
    },
  };
}

export function inputsFromJson(json: InputsJson): Inputs {
  const { subject, windows, whiteEntry, affiliation = null, ...rest } = json;
  return {
    ...rest,
    affiliation,
    subject: {
      ...subject,
      quantityMinor: BigInt(subject.quantityMinor),
      valueUsdCents: BigInt(subject.valueUsdCents),
    },
    windows: byWindow((window): Figures => {
      const { transactions, quantityMinor, valueCents } = windows[window];
      return { transactions, quantityMinor: BigInt(quantityMinor), valueCents: BigInt(valueCents) };
    }),
    whiteEntry: whiteEntry && {
      id: whiteEntry.id,
      singleCents: BigInt(whiteEntry.singleCents),
      dailyCents: BigInt(whiteEntry.dailyCents),
      cumulativeCents: BigInt(whiteEntry.cumulativeCents),
      usedTodayCents: BigInt(whiteEntry.usedTodayCents),
      usedCents: BigInt(whiteEntry.usedCents),
    },
  };
}

/** A record with a value for each window. */
function byWindow<T>(of: (window: RiskWindow) => T): Record<RiskWindow, T> {
  return Object.fromEntries(riskWindows.map((window) => [window, of(window)])) as Record<RiskWindow, T>;
}
