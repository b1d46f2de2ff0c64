import type { ComponentType } from 'react'
import type { EmptyText } from './frame/screen-context.ts'

export const GROUPS = ['Decide', 'State', 'Work', 'Knowledge', 'System'] as const

export interface Screen {
  /** Address below the page, with optional parameters: `/inbox/{-$id}`. */
  path: `/${string}`
  /** Letter after `g` that opens the screen. */
  key: string
  title: string
  group: (typeof GROUPS)[number]
  /** Live topics that the screen follows, without those with an id. */
  topics: readonly string[]
  /** Loads the code of the screen. */
  load(): Promise<{ default: ComponentType }>
  empty: EmptyText
}

/** All screens, in the order of the rail. */
export const SCREENS: readonly Screen[] = [
  {
    path: '/inbox/{-$id}',
    key: 'i',
    title: 'Inbox',
    group: 'Decide',
    topics: ['inbox'],
    load: () => import('./screens/inbox/screen.tsx'),
    empty: { what: 'Nothing is waiting for you. Requests of agents and held changes appear here.' },
  },
  {
    path: '/state/{-$kind}/{-$name}',
    key: 's',
    title: 'State',
    group: 'State',
    topics: ['state'],
    load: () => import('./screens/state/screen.tsx'),
    empty: {
      what: 'No resource is owned yet. Resources of manifests appear here, with their desired, applied and live state.',
      command: 'svc init',
    },
  },
  {
    path: '/plan/{-$source}',
    key: 'p',
    title: 'Plan',
    group: 'State',
    topics: [],
    load: () => import('./screens/plan/screen.tsx'),
    empty: { what: 'No source of manifests is configured.', command: 'svc init' },
  },
  {
    path: '/drift',
    key: 'd',
    title: 'Drift',
    group: 'State',
    topics: ['drift'],
    load: () => import('./screens/drift/screen.tsx'),
    empty: {
      what: 'No manual change has been seen. Changes of live state that no manifest made appear here.',
      command: 'svc drift list',
    },
  },
  {
    path: '/runs/{-$id}',
    key: 'r',
    title: 'Runs',
    group: 'State',
    topics: ['runs'],
    load: () => import('./screens/runs/screen.tsx'),
    empty: { what: 'Nothing has been applied yet. Each apply of a source appears here.', command: 'svc reconcile' },
  },
  {
    path: '/agents/{-$id}/{-$tab}',
    key: 'a',
    title: 'Agents',
    group: 'Work',
    topics: ['agents'],
    load: () => import('./screens/agents/screen.tsx'),
    empty: {
      what: 'No agent exists yet. Declare one in a manifest, or create one.',
      command: 'agent orchestrator create-agent',
    },
  },
  {
    path: '/workflows/{-$id}',
    key: 'w',
    title: 'Workflows',
    group: 'Work',
    topics: ['workflows'],
    load: () => import('./screens/workflows/screen.tsx'),
    empty: {
      what: 'No workflow exists yet. A workflow sends a prompt to an agent when its trigger fires.',
      command: 'agent orchestrator create-workflow',
    },
  },
  {
    path: '/queues/{-$name}',
    key: 'q',
    title: 'Queues',
    group: 'Work',
    topics: ['workflows'],
    load: () => import('./screens/queues/screen.tsx'),
    empty: {
      what: 'No queue has tasks. The first task that is pushed creates its queue.',
      command: 'agent orchestrator queue-push',
    },
  },
]

/** Path of a screen without parameters: `/inbox`. */
export const rootOf = ({ path }: Pick<Screen, 'path'>): string => `/${path.split('/')[1]}`
