// Fails the run if a tmux server is left behind.
import { endLeftServers, socketPrefix } from '../tmux-server.ts'

export default function watchForLeaks(): () => void {
  return () => endLeftServers(socketPrefix)
}
