// Triggers of change rows. A trigger also records writes by plain SQL, so that no change can lack its row.
import { createHash } from 'node:crypto'
import { CHANGE_TRIGGER, isPostgres, type Knex } from '../database/database.ts'

/** A table whose changes are recorded. The named columns must not be null. */
export interface ChangeSource {
  table: string
  topic: string
  /** Column whose value follows the topic: `room/<room_id>`. */
  of?: string
  /** Precedes the id, for a topic with several tables: `messages/<id>`. */
  kind?: string
  /** Columns of the record's id, joined with a slash. */
  id: readonly string[]
  /** Only rows with these values, and with an id. */
  where?: Readonly<Record<string, string>>
  /** An update that changes none of these is not recorded. Default: each update is. */
  columns?: readonly string[]
  /** Default all. */
  events?: readonly ChangeEvent[]
}

type ChangeEvent = 'INSERT' | 'UPDATE' | 'DELETE'

interface ChangeTrigger {
  /** Contains a digest, so that another definition has another name. */
  name: string
  statements: readonly string[]
}

const EVENTS: readonly ChangeEvent[] = ['INSERT', 'UPDATE', 'DELETE']
/** Advisory lock of PostgreSQL. */
const ORDER_KEY = 7_301_842_650_119

/** One for each event. */
export function changeTriggers(db: Knex, source: ChangeSource): ChangeTrigger[] {
  const trigger = isPostgres(db) ? onPostgres : onSqlite
  return (source.events ?? EVENTS).map((event) => trigger(source, event))
}

const quoted = (name: string): string => `"${name}"`

const rowOf = (event: ChangeEvent): string => (event === 'DELETE' ? 'OLD' : 'NEW')

/** `WHEN` of the trigger. A write of equal values is no change. */
function conditionOf({ columns, where, id }: ChangeSource, event: ChangeEvent, differs: string): string {
  const column = (name: string) => `${rowOf(event)}.${quoted(name)}`
  const changed = event === 'UPDATE' ? (columns ?? []) : []
  const conditions = [
    ...Object.entries(where ?? {}).map(([name, value]) => `${column(name)} = '${value}'`),
    ...(where === undefined ? [] : id.map((name) => `${column(name)} IS NOT NULL`)),
    ...(changed.length === 0
      ? []
      : [`(${changed.map((name) => `OLD.${quoted(name)} ${differs} NEW.${quoted(name)}`).join(' OR ')})`]),
  ]
  return conditions.length === 0 ? '' : `WHEN (${conditions.join(' AND ')})`
}

/** Literals and columns of the topic and of the id. */
function partsOf(
  { topic, of, kind, id }: ChangeSource,
  event: ChangeEvent,
): { topic: readonly string[]; id: readonly string[] } {
  const column = (name: string) => `${rowOf(event)}.${quoted(name)}`
  const ids = id.flatMap((name, at) => (at === 0 ? [column(name)] : [`'/'`, column(name)]))
  return {
    topic: of === undefined ? [`'${topic}'`] : [`'${topic}/'`, column(of)],
    id: kind === undefined ? ids : [`'${kind}/'`, ...ids],
  }
}

function named(statements: (name: string) => readonly string[]): ChangeTrigger {
  const digest = createHash('sha256').update(statements('').join('\n')).digest('hex').slice(0, 16)
  const name = `${CHANGE_TRIGGER}${digest}`
  return { name, statements: statements(name) }
}

/** The only writer takes the numbers, so their order is that of the commits. */
function onSqlite(source: ChangeSource, event: ChangeEvent): ChangeTrigger {
  const { topic, id } = partsOf(source, event)
  const body = `INSERT INTO gateway_changes (topic, id) VALUES (${topic.join(' || ')}, ${id.join(' || ')});`
  const when = `AFTER ${event} ON ${quoted(source.table)} FOR EACH ROW ${conditionOf(source, event, 'IS NOT')}`
  return named((name) => [`CREATE TRIGGER ${name} ${when} BEGIN ${body} END`])
}

/**
 * A sequence gives numbers in the order of writes, not of commits. The trigger is deferred: it runs in the COMMIT, after
 * all locks of the transaction, then takes one more, which the server releases when the changes are visible. It cannot
 * deadlock, because its holder waits for nothing but the disk; commits with changes flush one after the other, as those
 * with NOTIFY always do. Numbering by transaction id needs no lock but is the order of first writes, and readers would
 * wait for the oldest transaction of the server.
 */
function onPostgres(source: ChangeSource, event: ChangeEvent): ChangeTrigger {
  const { topic, id } = partsOf(source, event)
  const body =
    `BEGIN PERFORM pg_advisory_xact_lock(${ORDER_KEY}); ` +
    `INSERT INTO gateway_changes (topic, id) VALUES (concat(${topic.join(', ')}), concat(${id.join(', ')})); ` +
    `RETURN NULL; END`
  const condition = conditionOf(source, event, 'IS DISTINCT FROM')
  const when = `AFTER ${event} ON ${quoted(source.table)} DEFERRABLE INITIALLY DEFERRED FOR EACH ROW ${condition}`
  return named((name) => [
    `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ ${body} $$`,
    `CREATE CONSTRAINT TRIGGER ${name} ${when} EXECUTE FUNCTION ${name}()`,
  ])
}
