// SPDX-License-Identifier: GPL-2.0-only

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.IntUnaryOperator;

/** A program of Java that profil is attached to; run describes its arguments. */
public class Turns {
	private static final ThreadMXBean clock = ManagementFactory.getThreadMXBean();
	private static int sum;

	static int first(int rounds)
	{
		int sum = 0;

		for (int i = 0; i < rounds; i++)
			sum = sum * 31 + i;
		return sum;
	}

	static int second(int rounds)
	{
		int sum = 1;

		for (int i = 0; i < rounds; i++)
			sum = (sum ^ i) + i % 7;
		return sum;
	}

	/** Calls a function for some CPU time, and returns the CPU time in nanoseconds. */
	static long work(IntUnaryOperator function, long nanoseconds)
	{
		long begin = clock.getCurrentThreadCpuTime();

		while (clock.getCurrentThreadCpuTime() - begin < nanoseconds)
			sum += function.applyAsInt(1000000);
		return clock.getCurrentThreadCpuTime() - begin;
	}

	static String byTurns(int turns, long first, long second)
	{
		long inFirst = 0, inSecond = 0;

		for (int i = 0; i < turns; i++) {
			inFirst += work(Turns::first, first / turns);
			inSecond += work(Turns::second, second / turns);
		}
		return inFirst + " " + inSecond;
	}

	/** The functions are compiled before the program is ready. */
	public static void main(String[] arguments) throws Exception
	{
		byTurns(2, 50000000, 50000000);
		System.out.println("ready");
		System.in.read();
		System.out.println("used " + byTurns(10, Long.parseLong(arguments[0]),
					Long.parseLong(arguments[1])));
		System.in.read();
	}
}
