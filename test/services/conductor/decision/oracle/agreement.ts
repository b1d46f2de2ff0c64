// Compares the answer of the code with the statement of the pages.
import { answerOf, type Answer, type Decide } from './answers.ts'
import type { Case } from './facts.ts'
import { lineOf, lines } from './lines.ts'
import { keysAfter } from './memory.ts'
import { misorder } from './order.ts'
import { PAGE } from './page.ts'
import { itemsOf, statementOf, type Statement } from './statement.ts'

export interface Disagreement {
  what: string
  code: unknown
  pages: unknown
  cites: string
}

const REMEMBER = lines.remember()

function actions(answer: Answer, { expected, view }: Statement): Disagreement | null {
  // Without memory the pages do not say whether a record is tried.
  const isTold = view.given.reported !== null
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

function outcome(answer: Answer, { stop, health, counts, view }: Statement): Disagreement | null {
  const stopped = answer.stopped === null ? null : { step: answer.stopped.step, number: answer.stopped.number }
  if (JSON.stringify(stopped) !== JSON.stringify(stop)) {
    return { what: 'stop', code: stopped, pages: stop, cites: PAGE.stop }
  }
  if (answer.health !== health && !isFailing(view.given)) {
    return { what: 'health', code: answer.health, pages: health, cites: PAGE.health }
  }
  if (JSON.stringify(answer.counts) !== JSON.stringify(counts) && !isReread(view.given)) {
    return { what: 'counts', code: answer.counts, pages: counts, cites: PAGE.counts }
  }
  return null
}

const isFailing = ({ restacks, merges }: Case): boolean => Object.keys({ ...restacks, ...merges }).length > 0
const isReread = ({ rereads }: Case): boolean => Object.keys(rereads ?? {}).length > 0

function items(answer: Answer, { stop, view }: Statement): Disagreement | null {
  if (stop !== null || isReread(view.given) || isFailing(view.given)) return null
  for (const pages of itemsOf(view)) {
    const code = answer.items.find(({ number }) => number === pages.number)
    if (code?.situation !== pages.situation) return { what: 'situation', code, pages, cites: PAGE.first }
    for (const { rule, holds } of code.rules) {
      const expected = pages.rules[rule]
      if (expected !== undefined && expected !== holds) return { what: `rule ${rule}`, code, pages, cites: PAGE.rules }
    }
  }
  return null
}

function memory(answer: Answer, { expected, view }: Statement): Disagreement | null {
  if (view.given.reported === null || answer.reported === null) return null
  const { reported } = answer
  const { kept, gone } = keysAfter(view)
  const told = expected.flatMap(({ line }) => keysOf(line))
  const lost = [...kept, ...told].filter((key) => !reported.has(key))
  const left = gone.filter((key) => reported.has(key) && !told.includes(key))
  const untimely = told.filter((key) => reported.get(key) !== view.given.snapshot.time)
  if (lost.length + left.length + untimely.length === 0) return null
  const code = [...reported]
  return { what: 'memory', code, pages: { kept, told, gone, lost, left, untimely }, cites: PAGE.keys }
}

/** Keys of the reports that a post makes. */
function keysOf(line: string): string[] {
  const stale = / operations stale .*of ([\d,]+)$/.exec(line)?.[1]
  if (stale !== undefined) return stale.split(',').map((number) => `stale #${number}`)
  return [/ as (.+)$/.exec(line)?.[1]].filter((key) => key !== undefined)
}

/** The first difference between the code and the pages; null if they agree. */
export function disagreement(decide: Decide, given: Case): Disagreement | null {
  const statement = statementOf(given)
  const answer = answerOf(decide, given)
  return (
    actions(answer, statement) ?? outcome(answer, statement) ?? items(answer, statement) ?? memory(answer, statement)
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
