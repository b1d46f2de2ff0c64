// Short words for the verbs of the orchestrator that are typed most.
import type { CommandEntry } from '../program.ts'

const short = (name: string, verb = name, summary: string): CommandEntry => ({
  name,
  summary: `${summary} (orchestrator ${verb})`,
  load: async () => {
    const { orchestrator } = await import('./orchestrator/index.ts')
    return orchestrator.find((entry) => entry.name === verb)!.load!()
  },
})

export const shortVerbs: readonly CommandEntry[] = [
  short('approve', 'approve', 'let a held tool request go on'),
  short('deny', 'deny', 'refuse a held tool request'),
  short('send', 'send-message', 'send an agent its next prompt'),
  short('stream', 'stream', 'watch what an agent, or all of them, say and do'),
  short('logs', 'logs', 'print the last lines of an agent’s terminal'),
  short('attach', 'attach', 'look at the terminal of an agent'),
]
