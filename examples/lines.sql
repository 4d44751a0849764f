.mode ascii
.separator "\037" "\n"
CREATE TABLE line(text);
.import headers.txt line
SELECT count(DISTINCT text) FROM line;
SELECT length(text) AS n, count(*) FROM line GROUP BY n ORDER BY 2 DESC LIMIT 3;
