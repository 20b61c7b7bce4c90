// Plays every edit of every attribute, whether or not the calls arrived and reads are refused.
import './settle.test.ts';
