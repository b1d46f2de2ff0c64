import type { ReviewAnswer } from './answers.ts'
import type { Review, Verdict } from './facts.ts'

const VERDICTS: readonly string[] = ['APPROVED', 'CHANGES_REQUESTED', 'DISMISSED'] satisfies Verdict[]
const isVerdict = (state: string): state is Verdict => VERDICTS.includes(state)

/** Login for comparison, as in settings: the forge ignores case. A bot's ends with `[bot]`, so no user has the same. */
export const loginKey = (login: string): string => login.toLowerCase()

/** True if `reviews` have a verdict of each reviewer. */
export function hasAllReviewers(reviews: readonly ReviewAnswer[], reviewers: ReadonlySet<string>): boolean {
  const found = new Set(reviews.filter(({ state }) => isVerdict(state)).map(keyOf))
  return [...reviewers].every((reviewer) => found.has(reviewer))
}

/**
 * Latest verdict of each account: `opinions` of accounts that may write, `reviews` of `reviewers` (login keys). A
 * dismissed verdict does not revive an older one.
 */
export function verdicts(
  opinions: readonly ReviewAnswer[],
  reviews: readonly ReviewAnswer[],
  reviewers: ReadonlySet<string>,
): Verdict[] {
  const latest = new Map<string, { at: number; verdict: Verdict }>()
  const counted = [...opinions, ...reviews.filter((review) => reviewers.has(keyOf(review)))]
  counted.forEach((review, position) => {
    const { state, author } = review
    if (!isVerdict(state)) return
    // Deleted accounts have no login: each of their reviews counts.
    const key = author === null ? `deleted ${position}` : keyOf(review)
    const at = timeOf(review)
    const known = latest.get(key)
    if (!known || known.at <= at) latest.set(key, { at, verdict: state })
  })
  return [...latest.values()].map(({ verdict }) => verdict)
}

/** Submitted reviews. */
export const submitted = (reviews: readonly ReviewAnswer[]): Review[] =>
  reviews
    .filter(({ submittedAt, state }) => submittedAt !== null && state !== 'PENDING')
    .map((review) => ({ author: review.author?.login ?? '', state: review.state, submittedAt: timeOf(review) }))

/** GraphQL leaves the suffix of bots out. Accounts that are neither, such as imported ones, match no setting. */
function keyOf({ author }: ReviewAnswer): string {
  const { __typename: type, login } = author ?? { __typename: 'User', login: '' }
  const name = loginKey(login).replace(/\[bot\]$/, '')
  if (type === 'Bot') return `${name}[bot]`
  return type === 'User' || type === 'EnterpriseUserAccount' ? name : `${type} ${name}`
}

const timeOf = ({ submittedAt }: ReviewAnswer): number => (submittedAt === null ? 0 : Date.parse(submittedAt))
