// Compares the answer of the code with the statement of the pages.
import { answerOf, type Answer, type Decide } from './answers.ts'
import type { Case } from './facts.ts'
import { lineOf, lines } from './lines.ts'
import { keysAfter } from './memory.ts'
import { misorder } from './order.ts'
import { PAGE } from './page.ts'
import { itemsOf, statementOf, type Statement } from './statement.ts'
import type { View } from './view.ts'

export interface Disagreement {
  what: string
  code: unknown
  pages: unknown
  cites: string
}

const REMEMBER = lines.remember()

/** Called with the reason of each comparison that is left out, because the pages do not say the result. */
type Exempt = (reason: string) => void

function actions(answer: Answer, { expected, view }: Statement, exempt: Exempt): Disagreement | null {
  // Without memory the pages do not say whether a record is tried.
  const isTold = view.given.reported !== null
  if (!isTold) exempt('remember without a memory')
  const actual = answer.acts.map(lineOf).filter((line) => isTold || line !== REMEMBER)
  const [code, pages] = [actual.toSorted(), expected.map(({ line }) => line).toSorted()]
  if (code.join('\n') !== pages.join('\n')) {
    const extra = without(code, pages)
    const missing = without(pages, code)
    const cites = expected.filter(({ line }) => missing.includes(line)).map((each) => each.cites)
    return { what: `actions: extra ${list(extra)}; missing ${list(missing)}`, code, pages, cites: cites.join('; ') }
  }
  const wrong = misorder(actual, view)
  return wrong === null ? null : { what: `order: ${wrong}`, code: actual, pages: wrong, cites: wrong }
}

const list = (texts: readonly string[]): string => (texts.length === 0 ? 'none' : texts.join(', '))

function without(all: readonly string[], taken: readonly string[]): string[] {
  const rest = [...taken]
  return all.filter((each) => {
    const at = rest.indexOf(each)
    if (at !== -1) rest.splice(at, 1)
    return at === -1
  })
}

function outcome(answer: Answer, { stop, health, counts, intents }: Statement): Disagreement | null {
  const stopped = answer.stopped === null ? null : { step: answer.stopped.step, number: answer.stopped.number }
  if (JSON.stringify(stopped) !== JSON.stringify(stop)) {
    return { what: 'stop', code: stopped, pages: stop, cites: PAGE.stop }
  }
  if (answer.health !== health) {
    return { what: 'health', code: answer.health, pages: health, cites: PAGE.health }
  }
  if (JSON.stringify(answer.counts) !== JSON.stringify(counts)) {
    return { what: 'counts', code: answer.counts, pages: counts, cites: PAGE.counts }
  }
  const [left, expected] = [sorted(answer.intents), sorted(intents)]
  if (JSON.stringify(left) !== JSON.stringify(expected)) {
    return { what: 'intents', code: left, pages: expected, cites: PAGE.intents }
  }
  return null
}

/** A digest has at most 100 lines; no case has more. */
function digest(answer: Answer, { digest: expected }: Statement): Disagreement | null {
  const act = answer.acts.find(({ about }) => about === 'digest')
  if (act === undefined || expected === null) return null
  const text = (act.text ?? '').split('\n')
  const { counts, transitions = [] } = act.digest ?? {}
  const head = text.slice(0, expected.head.length)
  const code = { counts, transitions: transitions.toSorted(), head }
  const pages = { ...expected, transitions: expected.transitions.toSorted() }
  if (JSON.stringify(code) !== JSON.stringify(pages)) return { what: 'digest', code, pages, cites: PAGE.digestLines }
  const rest = text.slice(head.length)
  if (rest.join('\n') === transitions.join('\n')) return null
  return { what: 'text of the digest', code: rest, pages: transitions, cites: PAGE.digestLines }
}

const sorted = (intents: ReadonlyMap<number, boolean>): [number, boolean][] =>
  [...intents].toSorted(([one], [other]) => one - other)

function items(answer: Answer, { view }: Statement, exempt: Exempt): Disagreement | null {
  for (const pages of itemsOf(view)) {
    const code = answer.items.find(({ number }) => number === pages.number)
    for (const reason of pages.unsaid) exempt(reason)
    if (pages.situation !== undefined && code?.situation !== pages.situation)
      return { what: 'situation', code, pages, cites: PAGE.first }
    for (const { rule, holds } of code?.rules ?? []) {
      const expected = pages.rules[rule]
      if (expected !== undefined && expected !== holds) return { what: `rule ${rule}`, code, pages, cites: PAGE.rules }
    }
  }
  return null
}

function memory(answer: Answer, { expected, view }: Statement, exempt: Exempt): Disagreement | null {
  const { reported } = answer
  if ((view.given.reported === null) !== (reported === null))
    return { what: 'memory', code: reported, pages: view.given.reported, cites: PAGE.keys }
  if (reported === null) return null
  const { kept, seen, unsaid } = keysAfter(view)
  for (const key of unsaid) exempt(`key of ${key.split(' ')[0]}`)
  const told = [...expected.flatMap(({ line }) => keysOf(line, view)), ...seen]
  const lost = [...kept, ...told].filter((key) => !reported.has(key))
  const expectedKeys = new Set([...kept, ...told, ...unsaid])
  const isUnsaid = (key: string) => unsaid.includes(`${key.split('@')[0]}@`)
  const extra = [...reported.keys()].filter((key) => !expectedKeys.has(key) && !isUnsaid(key))
  const timeOf = (key: string) => (told.includes(key) ? view.given.snapshot.time : view.given.reported!.get(key))
  const untimely = [...kept, ...told].filter((key) => reported.get(key) !== timeOf(key))
  if (lost.length + extra.length + untimely.length === 0) return null
  return { what: 'memory', code: [...reported], pages: { kept, told, unsaid, lost, extra, untimely }, cites: PAGE.keys }
}

/** Keys of the reports that a post makes. Of a gate without a post the stop is kept. */
function keysOf(line: string, { given, stop }: View): string[] {
  const [, gate, number] = / as gate( #(\d+) .+)$/.exec(line) ?? []
  if (gate !== undefined && given.announcements?.[Number(number)] !== undefined)
    return stop?.number === Number(number) ? [`gate-stop${gate}`] : []
  const stale = / operations stale .*of ([\d,]+)$/.exec(line)?.[1]
  if (stale !== undefined) return stale.split(',').map((number) => `stale #${number}`)
  return [/ as (.+)$/.exec(line)?.[1]].filter((key) => key !== undefined)
}

/** The first difference between the code and the pages; null if they agree. */
export function disagreement(decide: Decide, given: Case, exempt: Exempt = () => undefined): Disagreement | null {
  const statement = statementOf(given)
  const answer = answerOf(decide, given)
  return (
    actions(answer, statement, exempt) ??
    outcome(answer, statement) ??
    digest(answer, statement) ??
    items(answer, statement, exempt) ??
    memory(answer, statement, exempt)
  )
}

const eachDropped = <Element>(all: readonly Element[]): Element[][] => all.map((_, at) => all.toSpliced(at, 1))

function* smaller(given: Case): Generator<Case> {
  const { snapshot, reported, intents } = given
  for (const issues of eachDropped(snapshot.issues)) yield { ...given, snapshot: { ...snapshot, issues } }
  for (const pullRequests of eachDropped(snapshot.pullRequests))
    yield { ...given, snapshot: { ...snapshot, pullRequests } }
  for (const merged of eachDropped(snapshot.merged)) yield { ...given, snapshot: { ...snapshot, merged } }
  for (const kept of eachDropped(intents)) yield { ...given, intents: kept }
  for (const keys of eachDropped([...(reported ?? [])])) yield { ...given, reported: new Map(keys) }
}

/** The smallest case with the same kind of disagreement that dropping items one by one leads to. */
export function minimised(decide: Decide, given: Case): Case {
  const kind = disagreement(decide, given)?.what.split(':')[0]
  for (;;) {
    const next = [...smaller(given)].find((each) => disagreement(decide, each)?.what.split(':')[0] === kind)
    if (next === undefined) return given
    given = next
  }
}

export function explained(decide: Decide, given: Case): string {
  const small = minimised(decide, given)
  const { what, code, pages, cites } = disagreement(decide, small)!
  const shown = { ...small, reported: small.reported === null ? null : [...small.reported] }
  return [
    `${given.group} ${JSON.stringify(given.choices)}`,
    `case: ${JSON.stringify(shown, null, 1)}`,
    `code: ${JSON.stringify(code, null, 1)}`,
    `pages: ${JSON.stringify(pages, null, 1)}`,
    `the pages say: ${cites}`,
    what,
  ].join('\n')
}
