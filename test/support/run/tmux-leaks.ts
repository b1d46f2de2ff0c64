// Global set-up: a test that leaves a tmux server behind fails the run.
import { endLeftServers, socketPrefix } from '../tmux-server.ts'

export default function watchForLeaks(): () => void {
  return () => endLeftServers(socketPrefix)
}
