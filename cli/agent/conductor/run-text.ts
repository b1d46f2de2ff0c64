// Text of a run: a line per action, then each pull request with its rules.
import type { ConductorAction, ConductorItem, ConductorRun, JudgedRule } from '../../../schemas/conductor/run.ts'
import { age, formatDuration } from '../../output/duration.ts'
import { paint, visible, wrapped } from '../../output/print.ts'
import { renderTable } from '../../output/table.ts'
import { columns } from '../../settings.ts'

export function runText(run: ConductorRun): string {
  const blocks = [
    [headline(run), ...remarks(run)],
    run.actions.length === 0 ? ['No actions.'] : run.actions.map(actionLine),
    run.items.flatMap(itemLines),
  ]
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

export function runTable(runs: readonly ConductorRun[]): string {
  return renderTable(
    runs,
    [
      { title: 'ID', value: ({ id }) => id, kind: 'id' },
      { title: 'REPOSITORY', value: ({ repository }) => repository, kind: 'text' },
      { title: 'STATUS', value: ({ status }) => status },
      { title: 'HEALTH', value: ({ health }) => health, colour: ({ health }) => COLOURS[health] },
      { title: 'ACTIONS', value: ({ actions }) => actions.length },
      { title: 'REASON', value: reasonOf, kind: 'text' },
      { title: 'AGO', value: ({ ended_at }) => age(ended_at), kind: 'time' },
    ],
    'No runs.',
  )
}

const COLOURS = { ok: 'green', degraded: 'yellow', blocked: 'red' } as const

const reasonOf = ({ stopped, problems }: ConductorRun): string | null => stopped?.reason ?? problems[0]?.detail ?? null

function headline({ id, repository, dry_run, status, health, requests, started_at, ended_at }: ConductorRun): string {
  const name = dry_run ? 'Dry run' : `Run ${id.slice(0, 8)}`
  const took = formatDuration(Date.parse(ended_at) - Date.parse(started_at))
  const state = `${status}, ${paint()[COLOURS[health]](health)}`
  return hanging(`${name} of ${visible(repository)}: ${state} (${requests} requests, ${took})`, 0)
}

/** Why the run stopped or waits, and what it could not read or do. */
function remarks({ stopped, waiting_for, problems }: ConductorRun): string[] {
  const found: [title: string, text: string][] = []
  if (stopped) {
    const where = `step ${stopped.step}${stopped.number === null ? '' : `, #${stopped.number}`}`
    found.push(['stopped', `${stopped.code} (${where}): ${stopped.reason}`])
  }
  if (waiting_for)
    found.push([
      'waiting for',
      `the lock of ${waiting_for.holder_name} until ${waiting_for.expires_at}: ${waiting_for.purpose}`,
    ])
  for (const { code, detail } of problems) found.push([code, detail])
  return found.map(([title, text]) => hanging(`${title}: ${visible(text)}`, 2))
}

function actionLine(action: ConductorAction): string {
  const { outcome, reason } = action
  const colours = paint()
  const mark = { planned: '·', done: colours.green('✓'), unchanged: '·', failed: colours.red('✗') }[outcome]
  const result = outcome === 'failed' || outcome === 'unchanged' ? ` ${outcome}` : ''
  const why = reason === null ? '' : `: ${visible(reason)}`
  return hanging(`${mark} ${String(action.step).padStart(2)}  ${deed(action)}${result}${why}`, 6)
}

/** `add label merge-ready to #12` */
function deed({ action, number, label, room, about, base, onto, branch }: ConductorAction): string {
  const item = number === null ? '' : `#${number}`
  const name = (text: string | null) => visible(text ?? '?')
  switch (action) {
    case 'add-label':
      return `add label ${name(label)} to ${item}`
    case 'remove-label':
      return `remove label ${name(label)} from ${item}`
    case 'comment':
      return `comment on ${item}`
    case 'post':
      return `post ${about} to ${room}${number === null ? '' : ` about ${item}`}`
    case 'lock':
    case 'unlock':
      return `${action} issues in ${room}`
    case 'restack':
      return `rebase ${item} onto ${name(onto)}`
    case 'retarget':
      return `change the base of ${item} to ${name(base)}`
    case 'merge':
      return `merge ${item} into ${name(base)}`
    case 'delete-branch':
      return `delete branch ${name(branch)}`
    case 'update-branch':
      return `update ${item} with ${name(base)}`
    case 'remember':
      return 'store the state in memory'
  }
}

function itemLines({ number, title, situation, rules }: ConductorItem): string[] {
  const state = situation ?? 'not merge-ready'
  const room = columns() - state.length - 2
  const name = `#${number} ${visible(title)}`.replace(/\s+/g, ' ')
  const shown = name.length > room ? `${name.slice(0, Math.max(room - 1, 8))}…` : name
  const failing = rules.filter(({ holds, reason }) => holds !== true && reason !== null)
  return [
    `${shown}  ${paint().bold(state)}`,
    hanging(`   ${rules.map(ruleText).join(' ')}`, 3),
    ...failing.map(({ rule, reason }) => hanging(`     ${rule}: ${visible(reason!)}`, 7)),
  ]
}

function ruleText({ rule, holds }: JudgedRule): string {
  const colours = paint()
  if (holds === null) return `${colours.yellow('?')} ${rule}`
  return `${holds ? colours.green('✓') : colours.red('✗')} ${rule}`
}

/** Wraps at the terminal width; continuation lines are indented by `indent`. */
function hanging(text: string, indent: number): string {
  const lead = /^ */.exec(text)![0]
  return `${lead}${wrapped(text.slice(lead.length).replace(/\s*\n\s*/g, ' '), indent)}`
}
