// Tests lanes over many more arrivals than the fast suite does.
import './lane.test.ts';
