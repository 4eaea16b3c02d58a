import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { loadTexts, useText } from '../lib/locale.tsx';
import { draftPrefix } from '../lib/storage.ts';
import { follow, outside, type Problem, type Problems, pathIn, problemAt, within } from './form-problems.ts';
import { afterPress } from './pointer.ts';

/** What a check finds: the values in their final shape, or what is wrong where; messages are text ids (`field.…`). */
export type Checked<Output> = { ok: true; values: Output } | { ok: false; problems: readonly FieldProblem[] };

export interface FieldProblem {
  path: readonly PropertyKey[];
  message: string;
}

export interface FieldsOptions<Values extends object, Output> {
  /** The rules: `byContract(schema)`, or a plain function where the page must stay light. Stable between renders. */
  check: (values: Values) => Checked<Output>;
  defaults: Values;
  /** Name under which what was typed survives a reload, for long forms. */
  keep?: string;
  /** Fields that are never kept: codes, passwords, files. */
  keepExcept?: readonly (keyof Values & string)[];
}

type Name<Values> = keyof Values & string;
type InputChange = ChangeEvent<HTMLInputElement | HTMLTextAreaElement>;

/** A form's state and the ways fields are tied to it. */
export interface Fields<Values extends object, Output> {
  values: Values;
  set: <N extends Name<Values>>(name: N, value: Values[N]) => void;
  /** For inputs that hold text: TextField, TextArea, PasswordField. */
  text: (name: Name<Values>) => TextBinding;
  /** For a Checkbox. */
  box: (name: Name<Values>) => BoxBinding;
  /** For fields that hand over a value: AmountField, CodeField, SelectField, ComboboxField, FileDrop. */
  value: <N extends Name<Values>>(name: N) => ValueBinding<Values[N]>;
  /** What is wrong with a field, or with the first part of it, as a sentence. */
  error: (name: Name<Values>) => string | undefined;
  /** For what is inside a field (`useRows`), by path: `nodes.1.needed`. */
  parts: Parts<Values>;
  submitting: boolean;
  /** Back to the defaults, and what was kept is forgotten. */
  reset: () => void;
  /** Forgets the draft; called after a submit that succeeded. */
  forget: () => void;
  checkAll: () => Checked<Output>;
  showServerErrors: (fields: Readonly<Record<string, string>>) => void;
  setSubmitting: (submitting: boolean) => void;
}

export interface Parts<Values> {
  /** The values with every change made so far, drawn or not. */
  current: () => Values;
  errorAt: (path: string) => string | undefined;
  /** What is wrong with a field itself, its parts left aside. */
  ownError: (name: Name<Values>) => string | undefined;
  recheck: (path: string) => void;
  /** Problems change places with the rows that they are about. */
  follow: (name: Name<Values>, indexOf: (old: number) => number | null) => void;
}

export interface TextBinding {
  name: string;
  value: string;
  onChange: (event: InputChange) => void;
  onBlur: () => void;
  error: string | undefined;
}

interface BoxBinding {
  name: string;
  checked: boolean;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  error: string | undefined;
}

export interface ValueBinding<Value> {
  name: string;
  value: Value;
  onChange: (value: Value) => void;
  onBlur: () => void;
  error: string | undefined;
}

/**
 * Fetches the texts `field.…`: no page's first paint has a use for them. Forms by `useFields` have them anyway; a failure
 * is left for the next form.
 */
export function useFieldTexts(): void {
  useEffect(() => void loadTexts(['fields']).catch(() => undefined), []);
}

/**
 * A form over rules: checks a field when it is left, everything on submit, and a field known to be wrong as one types;
 * puts the server's field errors where they belong; keeps what was typed when asked to.
 */
export function useFields<Values extends object, Output>(
  options: FieldsOptions<Values, Output>,
): Fields<Values, Output> {
  const { check, defaults, keep, keepExcept = [] } = options;
  const t = useText();
  useFieldTexts();
  const [values, setValues] = useState<Values>(() => ({ ...defaults, ...kept<Values>(keep) }));
  const [problems, setProblems] = useState<Problems>({});
  const [submitting, setSubmitting] = useState(false);
  // Handlers may run several times before the next drawing; they must see each other's changes.
  const latest = useRef(values);
  useKeep(keep, textToKeep(values, defaults, keepExcept));

  function recheck(path: string): void {
    const found = problemsOf(check(latest.current));
    setProblems((old) => ({ ...outside(old, path), ...within(found, path) }));
  }
  function set<N extends Name<Values>>(name: N, value: Values[N]): void {
    latest.current = { ...latest.current, [name]: value };
    setValues(latest.current);
    if (problemAt(problems, name) !== undefined) recheck(name);
  }
  function replace(next: Values): void {
    latest.current = next;
    setValues(next);
    setProblems({});
  }
  const sentence = (problem: Problem | undefined) => problem && (problem.fromServer ? problem.text : t(problem.text));
  const error = (path: string) => sentence(problemAt(problems, path));
  const setAny = set as (name: Name<Values>, value: unknown) => void;
  return {
    values,
    set,
    error,
    submitting,
    setSubmitting,
    text: (name) => ({
      name,
      value: String(values[name] ?? ''),
      onChange: (event) => setAny(name, event.target.value),
      onBlur: () => afterPress(() => recheck(name)),
      error: error(name),
    }),
    box: (name) => ({
      name,
      checked: values[name] === true,
      onChange: (event) => setAny(name, event.target.checked),
      error: error(name),
    }),
    value: (name) => ({
      name,
      value: values[name],
      onChange: (value) => set(name, value),
      onBlur: () => afterPress(() => recheck(name)),
      error: error(name),
    }),
    parts: {
      current: () => latest.current,
      errorAt: error,
      ownError: (name) => sentence(problems[name]),
      recheck,
      follow: (name, indexOf) => setProblems((old) => follow(old, name, indexOf)),
    },
    reset: () => {
      forget(keep);
      replace(defaults);
    },
    forget: () => forget(keep),
    checkAll: () => {
      const checked = check(latest.current);
      setProblems(problemsOf(checked));
      return checked;
    },
    showServerErrors: (fields) => {
      const entries = Object.entries(fields).map(
        ([path, text]) => [pathIn(latest.current, path), { text, fromServer: true }] as const,
      );
      setProblems((old) => ({ ...old, ...Object.fromEntries(entries) }));
    },
  };
}

/** The first problem of each path. */
export function problemsOf(checked: Checked<unknown>): Problems {
  const found: Record<string, Problem> = {};
  if (checked.ok) return found;
  for (const { path, message } of checked.problems) {
    found[path.join('.')] ??= { text: message, fromServer: false };
  }
  return found;
}

/**
 * The draft of a form, as one text; null when every field is at its default. A form that was sent and reset must find
 * nothing of it later: its defaults may hold the id of what was sent, under which nothing else can be sent.
 */
export function textToKeep<Values extends object>(
  values: Values,
  defaults: Values,
  except: readonly string[],
): string | null {
  const textOf = (of: Values) => JSON.stringify(Object.entries(of).filter(([key]) => !except.includes(key)));
  if (textOf(values) === textOf(defaults)) return null;
  return JSON.stringify(Object.fromEntries(Object.entries(values).filter(([key]) => !except.includes(key))));
}

function useKeep(name: string | undefined, text: string | null): void {
  const written = useRef<string | null | undefined>(undefined);
  useEffect(() => {
    if (name === undefined) return;
    // The first drawing only says what is already kept; after a submit nothing must bring it back.
    if (written.current !== undefined && written.current !== text) {
      if (text === null) forget(name);
      else write(name, text);
    }
    written.current = text;
  }, [name, text]);
}

function write(name: string, text: string): void {
  try {
    sessionStorage.setItem(`${draftPrefix}${name}`, text);
  } catch {
    // A full or forbidden storage costs the safety net, not the form.
  }
}

function kept<Values>(name: string | undefined): Partial<Values> {
  if (name === undefined) return {};
  try {
    return JSON.parse(sessionStorage.getItem(`${draftPrefix}${name}`) ?? '{}');
  } catch {
    return {};
  }
}

function forget(name: string | undefined): void {
  if (name === undefined) return;
  try {
    sessionStorage.removeItem(`${draftPrefix}${name}`);
  } catch {
    // Nothing was kept then.
  }
}
