import { useMemo } from 'react';
import { useLocaleTag } from './locale.tsx';

/** Dates, times and counts in the order and words of the reader's language, in the reader's own time zone. */
export interface Formats {
  date: (value: string | Date) => string;
  dateTime: (value: string | Date) => string;
  time: (value: string | Date) => string;
  /** "3 minutes ago"; `now` in milliseconds, for tests. */
  relative: (value: string | Date, now?: number) => string;
  /** "3 minutes", rounded up to whole seconds, minutes or hours. */
  duration: (seconds: number) => string;
  count: (value: number) => string;
  /** Short, for the marks of an axis: "1.5M", "150 萬". */
  compact: (value: number) => string;
  /** A day without its year. */
  day: (value: string | Date) => string;
  /** `value` is a share of one, with two decimals always, so that figures of one column agree: 0.125 is 12.50%. */
  percent: (value: number) => string;
  /** How far something has come, without decimals. */
  progress: (value: number) => string;
  bytes: (value: number) => string;
}

const steps: [limitSeconds: number, unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  [60, 'second', 1],
  [3600, 'minute', 60],
  [86_400, 'hour', 3600],
  [2_592_000, 'day', 86_400],
  [31_536_000, 'month', 2_592_000],
  [Number.POSITIVE_INFINITY, 'year', 31_536_000],
];

const durations = [
  ['hour', 3600],
  ['minute', 60],
] as const;

const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** The formats of a BCP 47 tag. Twenty-four hour clock in every language: a statement of account has no "a.m.". */
export function formatsFor(tag: string): Formats {
  const date = new Intl.DateTimeFormat(tag, { dateStyle: 'medium' });
  const dateTime = new Intl.DateTimeFormat(tag, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  const time = new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' });
  const count = new Intl.NumberFormat(tag);
  const compact = new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 2 });
  const day = new Intl.DateTimeFormat(tag, { month: 'short', day: 'numeric' });
  const percent = new Intl.NumberFormat(tag, { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const progress = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 0 });
  return {
    date: (value) => date.format(new Date(value)),
    dateTime: (value) => dateTime.format(new Date(value)),
    time: (value) => time.format(new Date(value)),
    relative: (value, now = Date.now()) => {
      const seconds = (new Date(value).getTime() - now) / 1000;
      const step = steps.find(([limit]) => Math.abs(seconds) < limit);
      const [, unit, length] = step ?? (['', 'year', 31_536_000] as const);
      return relative.format(Math.trunc(seconds / length), unit);
    },
    duration: (seconds) => {
      const [unit, length] = durations.find(([, least]) => seconds > least) ?? (['second', 1] as const);
      // The long form of Chinese says 秒钟 on the mainland, and puts a space after the number in Hong Kong alone.
      const isChinese = tag.startsWith('zh');
      const format = new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: isChinese ? 'short' : 'long' });
      const text = format.format(Math.ceil(seconds / length));
      return isChinese ? text.replace(/(\d)(?=\p{Script=Han})/u, '$1 ') : text;
    },
    count: (value) => count.format(value),
    compact: (value) => compact.format(value),
    day: (value) => day.format(new Date(value)),
    percent: (value) => percent.format(value),
    progress: (value) => progress.format(value),
    bytes: (value) => {
      const power = value < 1 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), sizes.length - 1);
      const unit = sizes[power] ?? 'byte';
      const format = new Intl.NumberFormat(tag, {
        style: 'unit',
        unit,
        // "44 byte" is what the short form says; "44 bytes" is English.
        unitDisplay: power === 0 ? 'long' : 'short',
        maximumFractionDigits: 1,
      });
      return format.format(value / 1000 ** power);
    },
  };
}

export function useFormats(): Formats {
  const tag = useLocaleTag();
  return useMemo(() => formatsFor(tag), [tag]);
}
