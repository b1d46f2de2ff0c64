// A model of the manifests of two sources and of the required live state, independent of the tested code.
import { stringify } from 'yaml'

export const SOURCES = ['default', 'second'] as const
export type SourceName = (typeof SOURCES)[number]
export type Kind = 'agents' | 'workflows' | 'policies'
export type Id = `${Kind}/${string}`
export type Members = Record<string, unknown>
export interface Sync {
  mode?: 'auto' | 'manual'
  drift?: 'report' | 'heal'
  prune?: boolean
}

export interface Declared {
  kind: Kind
  name: string
  source: SourceName
  /** Number in the file name. */
  file: number
  members: Members
  sync?: Sync
}

export type Edit =
  | ({ edit: 'declare' } & Declared)
  | { edit: 'change'; id: Id; member: string; value: unknown }
  | { edit: 'remove'; id: Id }
  | { edit: 'rename'; id: Id; to: string }
  | { edit: 'move'; id: Id; to: SourceName }
  | { edit: 'refile'; id: Id }
  | { edit: 'rules'; source: SourceName; sync: Sync }
  | { edit: 'own rules'; id: Id; sync: Sync }
  | { edit: 'break'; source: SourceName; fault: Fault }
  | { edit: 'repair'; source: SourceName }

export type Fault = keyof typeof FAULTY
const FAULTY = {
  'no YAML': 'name: [faulty\n',
  'unknown member': 'name: faulty\nruntime: scripted\nworking_dirr: /tmp\n',
  'unknown policy': 'name: faulty\nruntime: scripted\nworking_dir: /tmp\nshell: bash\npolicy: undeclared\n',
} as const
export const FAULTS = Object.keys(FAULTY) as Fault[]

export const idOf = ({ kind, name }: { kind: Kind; name: string }): Id => `${kind}/${name}`
export const parts = (id: Id): { kind: Kind; name: string } => {
  const [kind, name] = id.split('/') as [Kind, string]
  return { kind, name }
}

interface State {
  resources: Map<Id, Declared>
  rules: Record<SourceName, Sync>
  faults: Record<SourceName, Fault | null>
}

export class Desired {
  #state: State = {
    resources: new Map(),
    rules: { default: {}, second: {} },
    faults: { default: null, second: null },
  }
  /** Previous commits, oldest first. */
  readonly #history: State[] = []

  get resources(): ReadonlyMap<Id, Declared> {
    return this.#state.resources
  }

  all(kind?: Kind): Declared[] {
    return [...this.#state.resources.values()].filter((each) => kind === undefined || each.kind === kind)
  }

  get(id: Id): Declared | undefined {
    return this.#state.resources.get(id)
  }

  fault(source: SourceName): Fault | null {
    return this.#state.faults[source]
  }

  sourceRules(source: SourceName): Required<Sync> {
    return { ...DEFAULTS, ...this.#state.rules[source] }
  }

  rules({ source, sync }: Pick<Declared, 'source' | 'sync'>): Required<Sync> {
    return { ...this.sourceRules(source), ...sync }
  }

  /** Also repairs references that the edits break. */
  commit(edits: readonly Edit[]): void {
    this.#history.push(structuredClone(this.#state))
    for (const edit of edits) this.#edit(edit)
    this.#repairReferences()
  }

  rollBack(count: number): void {
    const before = this.#history.at(-count)
    if (!before) return
    this.#history.push(structuredClone(this.#state))
    this.#state = structuredClone(before)
  }

  #edit(edit: Edit): void {
    const { resources, rules, faults } = this.#state
    if (edit.edit === 'rules') rules[edit.source] = edit.sync
    else if (edit.edit === 'break') faults[edit.source] = edit.fault
    else if (edit.edit === 'repair') faults[edit.source] = null
    else if (edit.edit === 'declare') {
      const { edit: _, ...declared } = edit
      resources.set(idOf(declared), structuredClone(declared))
    } else {
      const declared = resources.get(edit.id)
      if (declared) this.#editOne(declared, edit)
    }
  }

  #editOne(declared: Declared, edit: Extract<Edit, { id: Id }>): void {
    const { resources } = this.#state
    if (edit.edit === 'change') declared.members[edit.member] = edit.value
    else if (edit.edit === 'remove') resources.delete(edit.id)
    else if (edit.edit === 'move') declared.source = edit.to
    else if (edit.edit === 'refile') declared.file++
    else if (edit.edit === 'own rules') declared.sync = edit.sync
    else if (!resources.has(idOf({ ...declared, name: edit.to }))) {
      resources.delete(edit.id)
      declared.name = edit.to
      resources.set(idOf(declared), declared)
      this.#followName(edit.id, edit.to)
    }
  }

  #followName(before: Id, to: string): void {
    const { kind, name } = parts(before)
    const member = { agents: 'agent', policies: 'policy', workflows: 'after' }[kind]
    for (const other of this.all()) if (other.members[member] === name) other.members[member] = to
  }

  #repairReferences(): void {
    const agents = this.all('agents').map(({ name }) => name)
    for (const declared of this.all()) {
      const { members } = declared
      if (typeof members.policy === 'string' && !this.get(`policies/${members.policy}`)) delete members.policy
      if (declared.kind !== 'workflows' || agents.includes(String(members.agent))) continue
      if (agents.length === 0) this.#state.resources.delete(idOf(declared))
      else members.agent = agents[0]
    }
    for (const workflow of this.all('workflows')) if (!this.#chainEnds(workflow)) delete workflow.members.after
  }

  #chainEnds(workflow: Declared, seen: Declared[] = []): boolean {
    const { after } = workflow.members
    if (after === undefined) return true
    const next = this.get(`workflows/${String(after)}`)
    return next !== undefined && !seen.includes(next) && this.#chainEnds(next, [...seen, workflow, next])
  }

  /** File contents by path. */
  files(source: SourceName, place: string): Map<string, string> {
    const { mode, drift, prune } = this.sourceRules(source)
    const files = new Map([['svc.yaml', stringify({ sync: { mode, drift, prune, max_delete: '100%' } })]])
    for (const declared of this.all()) {
      if (declared.source !== source) continue
      files.set(fileOf(declared), stringify(manifestOf(declared, place)))
    }
    const fault = this.#state.faults[source]
    if (fault) files.set('agents/faulty.yml', FAULTY[fault])
    return files
  }

  /** Required live fields, in the API's form. */
  wanted(declared: Declared): Members {
    const { kind, members } = declared
    const { policy, ...own } = members
    const shared = typeof policy === 'string' ? this.get(`policies/${policy}`) : undefined
    if (kind === 'policies') return { mode: 'allow_all', description: null, ...own }
    if (kind === 'agents')
      return { ...AGENT, ...own, tool_policy: shared?.members.mode ?? own.tool_policy ?? 'allow_all' }
    return { ...WORKFLOW, ...own, tool_policy: shared?.members.mode ?? own.tool_policy ?? 'auto' }
  }
}

const DEFAULTS: Required<Sync> = { mode: 'auto', drift: 'report', prune: true }
const AGENT = { model: null, system_prompt: null, max_cost_usd: null, auto_clear_threshold: null }
const WORKFLOW = { enabled: true, poll_interval_secs: 60, after: null }

/** Fields that need a new process. */
export const COST_A_START = ['model', 'system_prompt']

export const fileOf = ({ kind, name, file }: Declared): string => `${kind}/${name}${file === 0 ? '' : `-${file}`}.yml`

function manifestOf({ kind, name, members, sync }: Declared, place: string): object {
  const { after, tool_policy, policy, ...plain } = members
  const shared = {
    name,
    ...plain,
    ...(sync ? { sync } : {}),
    ...(policy === undefined && tool_policy !== undefined ? { tool_policy: { mode: tool_policy } } : {}),
    ...(policy === undefined ? {} : { policy }),
  }
  if (kind === 'policies') return { name, ...plain, ...(sync ? { sync } : {}) }
  if (kind === 'agents') return { ...shared, runtime: 'scripted', working_dir: place, shell: 'bash' }
  const trigger = after === undefined ? { type: 'manual' } : { type: 'dispatch_result', source_workflow: after }
  return { ...shared, trigger_config: trigger }
}
