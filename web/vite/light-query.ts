import { toJSONSchema } from 'zod/mini';
import type { LightField, LightQuery } from '../src/lib/light-call.ts';

/** What of JSON Schema the contract's queries use. */
interface JsonSchema {
  type?: string;
  enum?: string[];
  pattern?: string;
  format?: string;
  maxLength?: number;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
}

/**
 * What a list's query takes, as data: by it a page parses the filters of an address before schemas are there. Null for a
 * call that is no list (it has neither pages nor a keyword).
 */
export function lightQuery(schema: unknown): LightQuery | null {
  const { properties = {} } = toJSONSchema(schema as Parameters<typeof toJSONSchema>[0], {
    io: 'input',
    unrepresentable: 'any',
  }) as JsonSchema;
  if (!('cursor' in properties) && !('keyword' in properties)) return null;
  const { size: _, ...fields } = properties;
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, lightField(field)]));
}

function lightField(schema: JsonSchema): LightField {
  if (schema.format === 'date-time') return { instant: true };
  const pattern = patternOf(schema);
  return {
    ...(pattern !== null && { pattern }),
    ...(schema.maxLength !== undefined && { max: schema.maxLength }),
  };
}

/** One regular expression for what a text may be; null where any text will do. */
function patternOf({ enum: values, pattern, anyOf, allOf }: JsonSchema): string | null {
  if (values) return `^(?:${values.join('|')})$`;
  if (anyOf) {
    const patterns = anyOf.map(patternOf);
    return patterns.includes(null) ? null : patterns.map((each) => `(?:${each})`).join('|');
  }
  if (allOf) return allOf.map((each) => `(?=${patternOf(each) ?? ''})`).join('');
  return pattern ?? null;
}
