// `agent orchestrator health`: whether the orchestrator answers, and how it is.
import type { Command } from 'commander'
import { connect } from '../../http-client.ts'
import { withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { lines, show } from '../record.ts'

export function define(command: Command): void {
  withExamples(withUrl(withOutput(command)), 'agent orchestrator health').action(showHealth)
}

async function showHealth(options: UrlOption & OutputOption): Promise<void> {
  const health = await connect('orchestrator', options).get<{ status: string }>('/health')
  show(health, options, () => lines(health))
  if (health.status !== 'ok') process.exitCode = 1
}
