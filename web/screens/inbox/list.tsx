import { memo } from 'react'
import type { Approval } from '../../../schemas/tools/approval.ts'
import { useDecided } from '../../frame/approvals/use-approval.ts'
import { pagePath, PageLink } from '../../frame/page-link.tsx'
import { Shape } from '../../parts/states/shape.tsx'
import type { StateName } from '../../parts/states/states.ts'
import { Quoted } from '../../parts/text/quoted.tsx'
import { Age } from '../../parts/time/age.tsx'
import { Remaining, TimeBar } from '../../parts/time/deadline.tsx'
import styles from './inbox.module.css'
import { PartExcerpt, PartText } from './part-text.tsx'
import { approvalId, SECTIONS, titleOf, type InboxRow } from './rows.ts'

interface RowProps {
  row: InboxRow
  isSelected: boolean
  /** Of the address: "?show=held", or empty. */
  query: string
}

const Row = memo(function Row({ row, isSelected, query }: RowProps) {
  const { id, items, state, deadline, since, isGone } = row
  const [first] = items
  const decided = useDecided(isGone ? approvalId(first!) : null)
  return (
    <li>
      <PageLink path={pagePath('inbox', id) + query} isCurrent={isSelected} className={isGone ? 'entry gone' : 'entry'}>
        <Shape state={isGone ? outcomeState(decided) : state} />
        <span>
          <PartText parts={titleOf(items)} />
          {items.length > 1 && <span className="soft">, {items.length} identical</span>}
        </span>
        <span className="soft num">
          {isGone ? (
            <Outcome approval={decided} />
          ) : deadline !== null ? (
            <Remaining until={deadline} />
          ) : (
            since !== null && <Age at={since} />
          )}
        </span>
        <span className="below">
          <PartExcerpt parts={first!.detail} />
        </span>
        {!isGone && deadline !== null && since !== null && (
          // The time beside the title says it in words.
          <span className={styles['bar']} aria-hidden="true">
            <TimeBar from={since} until={deadline} />
          </span>
        )}
      </PageLink>
    </li>
  )
})

const outcomeState = (approval: Approval | null): StateName =>
  approval === null || approval.status === 'pending' ? 'empty' : approval.status === 'approved' ? 'approved' : 'denied'

/** How a request ended, and who decided it. The list of the daemon no longer has it. */
function Outcome({ approval }: { approval: Approval | null }) {
  if (!approval || approval.status === 'pending') return 'decided'
  const { status, decided_by } = approval
  return (
    <>
      {status.replace('_', ' ')}
      {decided_by !== null && (
        <>
          {' '}
          by <Quoted text={decided_by} />
        </>
      )}
    </>
  )
}

interface InboxListProps {
  rows: readonly InboxRow[]
  selected: string | null
  query: string
}

/** Rows by section. */
export function InboxList({ rows, selected, query }: InboxListProps) {
  return SECTIONS.map((section) => {
    const inSection = rows.filter((row) => row.section === section)
    if (inSection.length === 0) return null
    return (
      <section key={section}>
        <h2 className="group">{section}</h2>
        <ul>
          {inSection.map((row) => (
            <Row key={row.id} row={row} isSelected={row.id === selected} query={query} />
          ))}
        </ul>
      </section>
    )
  })
}
