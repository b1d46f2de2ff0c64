// Body fields in which the secrets of the calling agent are neither redacted nor refused.

const ENCRYPTED = 'stored encrypted, and shown as ***'
const EXISTS = 'names a directory that must exist'
const MANIFESTS = 'manifests are applied as a whole: their secret fields are encrypted, and a mask would become a value'

const agent = { env: ENCRYPTED, working_dir: EXISTS, additional_dirs: EXISTS }
const inConfig = Object.fromEntries(Object.entries(agent).map(([name, reason]) => [`config.${name}`, reason]))
const trigger = {
  'source.secret': ENCRYPTED,
  'trigger_config.secret': ENCRYPTED,
  'source_config.secret': ENCRYPTED,
}
const directory = { path: EXISTS }

/** Reason by operation and dotted path; the empty path is the whole body. */
export const UNREDACTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'orchestrator.createAgent': agent,
  'orchestrator.updateAgent': { ...agent, ...inConfig },
  'orchestrator.addDirectory': directory,
  'orchestrator.removeDirectory': directory,
  'orchestrator.createWorkflow': trigger,
  'orchestrator.updateWorkflow': trigger,
  'orchestrator.putWorkflow': trigger,
  'index.createRepository': directory,
  'wrap.launch': { project_path: EXISTS },
  'controller.apply': { '': MANIFESTS },
}
