import { agentsTopic, driftTopic, inboxTopic, stateTopic } from '../live/topics.ts'
import { useFigure, useTopic } from '../live/use-live.ts'
import { Shape } from '../parts/states/shape.tsx'
import type { StateName } from '../parts/states/states.ts'
import styles from './frame.module.css'
import { PageLink } from './page-link.tsx'

export interface RailEntry {
  /** `/inbox` */
  root: string
  title: string
  group: string
  key: string
}

/** Numbers beside the entries, by path. Those of `ACT` are decisions of a person. */
function useCounts(): Readonly<Record<string, number | string>> {
  const inbox = useTopic(inboxTopic).cache
  const drift = useTopic(driftTopic).cache
  const agents = useTopic(agentsTopic).cache
  const state = useTopic(stateTopic).cache
  return {
    '/inbox': useFigure(inbox, (items) => items.length),
    '/state': useFigure(state, (resources) => resources.length),
    '/drift': useFigure(drift, (records) => records.filter(({ resolution }) => resolution === null).length),
    '/agents': useFigure(agents, (records) => records.length),
  }
}

const ACT: ReadonlySet<string> = new Set(['/inbox', '/drift'])

interface NavigationProps {
  entries: readonly RailEntry[]
  current: RailEntry | null
}

/** Entries with their numbers, grouped. */
export function Rail({ entries, current }: NavigationProps) {
  const counts = useCounts()
  const groups = [...new Set(entries.map(({ group }) => group))]
  return (
    <nav className={styles['rail']} aria-label="Screens">
      {groups.map((group) => (
        <section key={group}>
          <h3>{group}</h3>
          {entries
            .filter((entry) => entry.group === group)
            .map((entry) => (
              <PageLink key={entry.root} path={entry.root} isCurrent={entry === current}>
                {entry.title}
                <span className={ACT.has(entry.root) ? styles['hot'] : styles['count']}>
                  {counts[entry.root] || null}
                </span>
              </PageLink>
            ))}
        </section>
      ))}
    </nav>
  )
}

const TAB_SHAPES: Readonly<Record<string, StateName>> = {
  '/inbox': 'decision',
  '/state': 'ready',
  '/drift': 'drifted',
  '/agents': 'busy',
}

/** The navigation of a narrow window; `onMore` opens the list of all screens. */
export function Tabs({ entries, current, onMore }: NavigationProps & { onMore(): void }) {
  const counts = useCounts()
  const shown = entries.filter(({ root }) => root in TAB_SHAPES)
  return (
    <nav className={styles['tabs']} aria-label="Screens">
      {shown.map((entry) => (
        <PageLink key={entry.root} path={entry.root} isCurrent={entry === current}>
          <Shape state={TAB_SHAPES[entry.root]!} word={null} />
          <span className="num">
            {entry.title} {ACT.has(entry.root) && (counts[entry.root] || null)}
          </span>
        </PageLink>
      ))}
      <button type="button" onClick={onMore}>
        <Shape state="notification" word={null} />
        <span>More</span>
      </button>
    </nav>
  )
}
