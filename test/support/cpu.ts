/** A clock of processor time, in seconds: what else the machine does has no part in it. */
export function cpuClock(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000_000;
  };
}
