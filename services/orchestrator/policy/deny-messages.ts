// What an agent is told when a tool is denied.
import type { Finding } from './finding.ts'

export const denyMessages = {
  policy: (tool: string, mode: string, finding: Finding | null) =>
    `Tool '${tool}' is not allowed by policy '${mode}'${finding ? `: ${finding.reason}: ${finding.part}` : ''}`,
  tooLarge: (tool: string, size: number, largest: number) =>
    `Tool '${tool}' is refused: its input of ${size} bytes exceeds the limit of ${largest} bytes and cannot be checked; split it`,
  tooManyPaths: (tool: string) =>
    `Tool '${tool}' is refused: it names too many paths to check at once; split it into several requests, or name the directory in place of its files`,
  outside: (tool: string, reason: string) =>
    `Tool '${tool}' is refused: ${reason}; add the directory to additional_dirs of the agent to open it`,
  closed: (tool: string, path: string) =>
    `Tool '${tool}' is refused: ${path} is closed to agents; copy what is needed to another directory`,
  searchesClosed: (tool: string, closed: string) =>
    `Tool '${tool}' is refused: it would search ${closed}, which is closed to agents; search a directory that does not contain it`,
  desired: (tool: string, path: string, readBy: string) =>
    `Tool '${tool}' is refused: it may change ${path}, which is read by ${readBy}; only agents with may: [source] change manifests, others propose the change to a person`,
  address: (tool: string, fault: string) => `Tool '${tool}' is refused: ${fault}`,
  person: (tool: string, actor: string, reason: string | null) =>
    `Tool '${tool}' denied by ${actor}${reason ? `: ${reason}` : ''}`,
  limit: (tool: string, reason: string) => `Tool '${tool}' denied: ${reason}`,
}

/** Why an approval timed out, in words. */
export function noDecision(seconds: number): string {
  const [count, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second']
  return `no human decision came within ${count} ${unit}${count === 1 ? '' : 's'}`
}
