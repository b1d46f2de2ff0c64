import { useRouter, useRouterState } from '@tanstack/react-router'
import { Suspense, useState, type ReactNode } from 'react'
import { useKeys } from '../parts/keys/use-keys.ts'
import { LoadingRows } from '../parts/states/notices.tsx'
import { Quoted } from '../parts/text/quoted.tsx'
import { Brand } from '../parts/states/mark.tsx'
import type { Build } from './updates/build-check.ts'
import { useCaller } from './caller.tsx'
import { Foot } from './foot.tsx'
import styles from './frame.module.css'
import { KeysDialog } from './preferences/keys-dialog.tsx'
import { Outdated } from './updates/outdated.tsx'
import { LaterNotices } from './updates/later-failures.tsx'
import { PageCommands } from './page-commands.tsx'
import { PageLink, useGo } from './page-link.tsx'
import { Rail, type RailEntry, Tabs } from './rail.tsx'

interface FrameProps {
  build: Build
  /** Screens in the order of the rail. */
  entries: readonly RailEntry[]
  children: ReactNode
}

/** Path below the page: `/inbox/approval%2F1`. */
export function usePath(): string {
  const { basepath } = useRouter()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return path.startsWith(`${basepath}/`) ? path.slice(basepath.length) : path
}

/** Top bar, rail, screen and foot. */
export function Frame({ entries, build, children }: FrameProps) {
  const [open, setOpen] = useState<'commands' | 'keys' | null>(null)
  const path = usePath()
  const go = useGo()
  const current = entries.find((entry) => path === entry.root || path.startsWith(`${entry.root}/`)) ?? null
  useKeys([
    ...entries.map(({ key, title, root }) => ({ keys: `g ${key}`, does: `Open ${title}`, run: () => go(root) })),
    { keys: 'Ctrl K', does: 'Search or run', run: () => setOpen('commands') },
    { keys: ':', does: 'Search or run', run: () => setOpen('commands') },
    { keys: '?', does: 'Show the keys of this screen', run: () => setOpen('keys') },
  ])
  return (
    <div className={styles['frame']}>
      <TopBar onCommands={() => setOpen('commands')} />
      <Rail entries={entries} current={current} />
      <main className={styles['main']}>
        <div>
          <Outdated build={build} />
          <LaterNotices />
        </div>
        <Suspense fallback={<LoadingRows />}>{children}</Suspense>
      </main>
      <Foot onKeys={() => setOpen('keys')} />
      <Tabs entries={entries} current={current} onMore={() => setOpen('commands')} />
      {open === 'keys' && <KeysDialog onClose={() => setOpen(null)} />}
      {open === 'commands' && <PageCommands entries={entries} onClose={() => setOpen(null)} />}
    </div>
  )
}

function TopBar({ onCommands }: { onCommands(): void }) {
  const { subject, role } = useCaller()
  return (
    <header className={styles['top']}>
      <PageLink path="/inbox" className={styles['brand']} label="svc, inbox">
        <Brand /> svc
      </PageLink>
      <button type="button" className={styles['bar']} onClick={onCommands}>
        <span>
          Search or run <span className="wide">an agent, a file, a command</span>
        </span>
        <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      <div className={styles['who']}>
        <span>
          host <b className="mono">{location.hostname}</b>
        </span>
        <span className="mono">
          <Quoted text={subject} /> · {role ?? 'agent'}
        </span>
      </div>
    </header>
  )
}
