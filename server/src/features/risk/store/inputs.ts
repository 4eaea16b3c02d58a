import type { RiskWindow } from '@causeway/contract/risk-rules.ts';
import type { Figures, Inputs, RiskSubject, WhiteEntry } from '../domain.ts';

type FiguresJson = Record<RiskWindow, { transactions: number; quantityMinor: string; valueCents: string }>;

/** Inputs as `risk_assessment.inputs` holds them: amounts are texts, since JSON has no integers of that size. */
export interface InputsJson {
  subject: Omit<RiskSubject, 'quantityMinor' | 'valueUsdCents' | 'paidWith'> & {
    quantityMinor: string;
    valueUsdCents: string;
    paidWith?: { quantityMinor: string; decimals: number };
  };
  windows: FiguresJson;
  coinWindows?: FiguresJson;
  blackEntryId: string | null;
  whiteEntry: { [K in keyof WhiteEntry]: string } | null;
  onlyWhitelisted: boolean;
  /** Absent from judgements before it was recorded. */
  affiliation?: Inputs['affiliation'];
}

export function inputsToJson(inputs: Inputs): InputsJson {
  const { subject, windows, coinWindows, whiteEntry, ...rest } = inputs;
  const { paidWith, ...about } = subject;
  return {
    ...rest,
    subject: {
      ...about,
      quantityMinor: String(subject.quantityMinor),
      valueUsdCents: String(subject.valueUsdCents),
      ...(paidWith && { paidWith: { ...paidWith, quantityMinor: String(paidWith.quantityMinor) } }),
    },
    windows: figuresToJson(windows),
    ...(coinWindows && { coinWindows: figuresToJson(coinWindows) }),
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
  const { subject, windows, coinWindows, whiteEntry, affiliation = null, ...rest } = json;
  const { paidWith, ...about } = subject;
  return {
    ...rest,
    affiliation,
    subject: {
      ...about,
      quantityMinor: BigInt(subject.quantityMinor),
      valueUsdCents: BigInt(subject.valueUsdCents),
      ...(paidWith && { paidWith: { ...paidWith, quantityMinor: BigInt(paidWith.quantityMinor) } }),
    },
    windows: figuresFromJson(windows),
    ...(coinWindows && { coinWindows: figuresFromJson(coinWindows) }),
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

function figuresToJson(windows: Record<RiskWindow, Figures>): FiguresJson {
  return byWindow((window) => {
    const { transactions, quantityMinor, valueCents } = windows[window];
    return { transactions, quantityMinor: String(quantityMinor), valueCents: String(valueCents) };
  });
}

function figuresFromJson(windows: FiguresJson): Record<RiskWindow, Figures> {
  return byWindow((window) => {
    const { transactions, quantityMinor, valueCents } = windows[window];
    return { transactions, quantityMinor: BigInt(quantityMinor), valueCents: BigInt(valueCents) };
  });
}

/** A record with a value for each window. */
function byWindow<T>(of: (window: RiskWindow) => T): Record<RiskWindow, T> {
  return { day: of('day'), week: of('week'), month: of('month') };
}
