// Aliases of frequent orchestrator commands.
import type { CommandEntry } from '../program.ts'

const short = (name: string, verb = name, summary: string): CommandEntry => ({
  name,
  summary,
  load: async () => {
    const { orchestrator } = await import('./orchestrator/index.ts')
    return orchestrator.find((entry) => entry.name === verb)!.load!()
  },
})

export const shortVerbs: readonly CommandEntry[] = [
  short('approve', 'approve', 'Approve a pending tool request'),
  short('deny', 'deny', 'Deny a pending tool request'),
  short('send', 'send-message', 'Send a prompt to an agent'),
  short('transcript', 'transcript', 'Show prompts, texts, tool calls and results of an agent'),
  short('stream', 'stream', 'Follow the output of one agent or all agents'),
  short('logs', 'logs', 'Print the last lines of an agent’s terminal'),
  short('attach', 'attach', 'Attach to the terminal of an agent'),
  short('usage', 'usage', 'Show tokens and cost of an agent, or per hour'),
  short('sandbox', 'sandbox', 'Show the sandbox of an agent, or run a command in it'),
]
