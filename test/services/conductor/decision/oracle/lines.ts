// One text line for each action, so that sets of actions can be compared and printed.
import type { ActionName, RoomName, Subject } from '../../../../../schemas/conductor/run.ts'
import type { Act } from '../../../../../services/conductor/decision/contract.ts'
import type { Move } from './moves.ts'

interface Post {
  step: number
  number: number | null
  room: RoomName
  about: Subject
  mention: string | null
  key?: string
  items?: readonly number[]
}

const of = (number: number | null): string => (number === null ? '-' : `#${number}`)

export const lines = {
  label: (step: number, action: 'add-label' | 'remove-label', number: number, label: string): string =>
    `${step} ${action} ${of(number)} ${label}`,
  comment: (number: number, sha: string): string =>
    `6 comment ${of(number)} <!-- svc:conductor checks-failed ${sha} -->`,
  post: ({ step, number, room, about, mention, key, items }: Post): string =>
    [
      `${step} post ${of(number)} ${room} ${about}`,
      mention === null ? '' : ` mentions ${mention}`,
      key === undefined ? '' : ` as ${key}`,
      items === undefined ? '' : ` of ${items.join(',')}`,
    ].join(''),
  lock: (step: number, action: 'lock' | 'unlock'): string => `${step} ${action}`,
  restack: ({ step, pull, merged, onto, carried }: Move): string => {
    const heads = carried.map(({ number, parent }) => `${number}<${parent ?? 'onto'}`)
    return `${step} restack ${of(pull.number)} onto ${onto} from #${merged.number}@${merged.head} with ${heads.join(' ')}`
  },
  retarget: (step: number, number: number, base: string): string => `${step} retarget ${of(number)} ${base}`,
  merge: (number: number, sha: string): string => `6 merge ${of(number)} ${sha}`,
  deleteBranch: (step: number, { number, branch, head }: { number: number; branch: string; head: string }): string =>
    `${step} delete-branch ${of(number)} ${branch} ${head}`,
  updateBranch: (number: number, sha: string): string => `6 update-branch ${of(number)} ${sha}`,
  remember: (): string => '10 remember',
}

const POSTS_WITH_ITEMS: readonly (Subject | null)[] = ['stale']

function lineOfPost({ step, number, room, about, mention, key, items }: Act): string {
  const isCollective = POSTS_WITH_ITEMS.includes(about)
  const post: Post = { step, number, room: room!, about: about!, mention }
  if (isCollective) return lines.post({ ...post, items: (items ?? []).toSorted((a, b) => a - b) })
  return lines.post({ ...post, ...(key === undefined ? {} : { key }) })
}

function lineOfRestack({ step, number, onto, restack }: Act): string {
  const branches = restack!.branches.map(({ number: head, parent }) => `${head}<${parent ?? 'onto'}`)
  const { merged } = restack!
  return `${step} restack ${of(number)} onto ${onto} from #${merged.number}@${merged.head} with ${branches.join(' ')}`
}

const MARKER = /<!-- svc:conductor checks-failed \S+ -->/

const FORMATS: Record<ActionName, (act: Act) => string> = {
  'add-label': ({ step, number, label }) => lines.label(step, 'add-label', number!, label!),
  'remove-label': ({ step, number, label }) => lines.label(step, 'remove-label', number!, label!),
  comment: ({ step, number, text }) => `${step} comment ${of(number)} ${MARKER.exec(text ?? '')?.[0]}`,
  post: lineOfPost,
  lock: ({ step }) => lines.lock(step, 'lock'),
  unlock: ({ step }) => lines.lock(step, 'unlock'),
  restack: lineOfRestack,
  retarget: ({ step, number, base }) => lines.retarget(step, number!, base!),
  merge: ({ step, number, sha }) => `${step} merge ${of(number)} ${sha}`,
  'delete-branch': ({ step, number, branch, sha }) =>
    lines.deleteBranch(step, { number: number!, branch: branch!, head: sha! }),
  'update-branch': ({ step, number, sha }) => `${step} update-branch ${of(number)} ${sha}`,
  remember: ({ step }) => `${step} remember`,
}

/** The line of an action of the code. */
export const lineOf = (act: Act): string => FORMATS[act.action](act)
